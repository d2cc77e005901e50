import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** What a line is like. */
export interface LineSpeed {
  roundTripMs: number;
  /** Towards the browser, for all connections together. */
  bytesPerSecond: number;
}

/** A server's address behind a slow line. */
export interface SlowLine {
  /** Address without a slash at the end. */
  url: string;
  close(): Promise<void>;
}

/**
 * Opens a way to a server on loopback that is as slow as a line far away. The browser's own emulation reaches pages
 * only, while this slows workers too. Opening a connection takes no round trip, as on one that is open already.
 */
export async function startSlowLine(target: string, { roundTripMs, bytesPerSecond }: LineSpeed): Promise<SlowLine> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  /** When the line has sent everything that it was given. */
  let freeAt = 0;

  /** Passes chunks on in order, each at the time that `dueOf` answers for its length. */
  function pass(from: Socket, to: Socket, dueOf: (bytes: number) => number): void {
    let sent: Promise<void> = Promise.resolve();
    const later = (dueAt: number, send: () => void): void => {
      const due = new Promise<void>((resolve) => setTimeout(resolve, dueAt - performance.now()));
      sent = sent.then(() => due).then(() => void (to.destroyed || send()));
    };
    from.on("data", (chunk: Buffer) => later(dueOf(chunk.length), () => to.write(chunk)));
    from.on("end", () => later(dueOf(0), () => to.end()));
  }

  const server = createServer((browser) => {
    const upstream = connect(Number(port), hostname);
    for (const [own, other] of [
      [browser, upstream],
      [upstream, browser],
    ] as const) {
      sockets.add(own);
      own.setNoDelay(true);
      own.on("close", () => (sockets.delete(own), other.destroy()));
      // A browser that is closed resets its connections.
      own.on("error", () => other.destroy());
    }
    pass(browser, upstream, () => performance.now() + roundTripMs / 2);
    pass(upstream, browser, (bytes) => {
      freeAt = Math.max(freeAt, performance.now()) + (bytes / bytesPerSecond) * 1_000;
      return freeAt + roundTripMs / 2;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, hostname, resolve));
  return {
    url: `http://${hostname}:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
