import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** The answer for a path. */
export interface Answer {
  type: string;
  body: string | Buffer;
}

/** A server on loopback that serves what it is given. */
export interface LoopbackServer {
  /** Address without a slash at the end. */
  readonly url: string;
  /** Sets the answer for a path, whatever its query. */
  serve(path: string, answer: Answer): void;
  close(): Promise<void>;
}

/** Starts a server on a free port. */
export async function startLoopbackServer(): Promise<LoopbackServer> {
  const answers = new Map<string, Answer>();
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? "/", "http://localhost").pathname;
    const answer = answers.get(path);
    response.writeHead(answer ? 200 : 404, {
      "Content-Type": answer?.type ?? "text/plain",
      "Cache-Control": "no-store",
    });
    response.end(answer?.body ?? "");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    serve: (path, answer) => void answers.set(path, answer),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
