import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A proxy for everything that is not on this machine. It passes nothing on, and notes which hosts were asked for. */
export interface OtherHosts {
  /** The browser's argument that sends such requests here. */
  argument: string;
  /** Hosts that were asked for, each as often as it was. */
  asked: string[];
  close(): Promise<void>;
}

/** Starts it on a free port of loopback. Browsers ask a proxy for nothing on loopback. */
export async function startOtherHosts(): Promise<OtherHosts> {
  const others: OtherHosts = {
    argument: "",
    asked: [],
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  const server = createServer((request, response) => {
    others.asked.push(new URL(request.url ?? "", "http://unnamed.invalid").hostname);
    response.writeHead(502).end();
  });
  server.on("connect", (request, socket) => {
    others.asked.push((request.url ?? "").replace(/:\d+$/, ""));
    socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  others.argument = `--proxy-server=http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return others;
}
