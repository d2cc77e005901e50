// Runs a topic server in a process of its own, so that it blocks nothing else and its memory can be measured alone.
import { execFileSync, fork, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import { startServer, type ServerOptions } from "../../src/server";

/** What the process reports about itself. */
export interface Inside {
  /** Open streams. */
  streams: number;
  /** Bytes of memory in use, by objects and buffers together. */
  memory: number;
  /** Open connections. */
  connections: number;
  /** Errors that the server reported. */
  reported: string[];
}

/** A server that runs in another process. */
export class ServerProcess {
  private constructor(
    private readonly child: ChildProcess,
    readonly port: number,
  ) {}

  /** @param fileBytes no file can become longer, as on a disk that is full by then; absent = any length */
  static async start(options: ServerOptions, fileBytes?: number): Promise<ServerProcess> {
    const node = ["--import", "tsx", "--expose-gc"];
    const child = fork(fileURLToPath(import.meta.url), [JSON.stringify(options)], {
      ...(fileBytes === undefined
        ? { execArgv: node }
        : { execPath: "prlimit", execArgv: [`--fsize=${fileBytes}:`, process.execPath, ...node] }),
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    const port = await new Promise<number>((resolve, reject) => {
      child.once("message", (message) => resolve(Number(message)));
      child.once("exit", (code) => reject(new Error(`the server ended with ${code}`)));
    });
    return new ServerProcess(child, port);
  }

  /** Asks the process for its state; `tidy` = it collects garbage first, which takes time. */
  inside(how: "as it is" | "tidy" = "as it is"): Promise<Inside> {
    return new Promise((resolve) => {
      this.child.once("message", (message) => resolve(message as Inside));
      this.child.send(how);
    });
  }

  /** Changes how long its files can become. */
  limitFiles(bytes: number | "unlimited"): void {
    execFileSync("prlimit", ["--pid", String(this.child.pid), `--fsize=${bytes}:`]);
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Ends the process, even if it hangs. */
  async kill(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = new Promise((resolve) => this.child.once("exit", resolve));
    this.child.kill("SIGKILL");
    await ended;
  }
}

async function serve(options: ServerOptions): Promise<void> {
  const reported: string[] = [];
  const server = await startServer(options, { report: (error) => reported.push(String(error)) });
  process.on("message", (how) => {
    if (how === "tidy") globalThis.gc?.();
    const { heapUsed, external } = process.memoryUsage();
    const inside: Inside = {
      streams: server.streams().length,
      connections: process.getActiveResourcesInfo().filter((resource) => resource === "TCPSocketWrap").length,
      memory: heapUsed + external,
      reported,
    };
    process.send?.(inside);
  });
  // The process that started this one has gone.
  process.on("disconnect", () => process.exit());
  process.send?.(server.port);
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await serve(JSON.parse(process.argv[2] ?? "{}") as ServerOptions);
