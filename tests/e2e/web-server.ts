import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer, connect } from "node:net";
import { join } from "node:path";
import { findProgram, NGINX } from "../../scripts/browser.mjs";
import { ROOT } from "../../scripts/source-hash.mjs";

/** Whether the tests of hosting can run here. */
export const hasNginx = findProgram(NGINX) !== undefined;

/** nginx with an example for hosts, on a port of loopback. */
export class WebServer {
  readonly #folder: string;
  #process: ChildProcess | undefined;
  readonly port: number;

  constructor(folder: string, port: number) {
    this.#folder = folder;
    this.port = port;
  }

  get host(): string {
    return `127.0.0.1:${String(this.port)}`;
  }

  /**
   * Prepares it, without starting it.
   * @param example name of the file in docs/hosting
   * @param app folder with the built app
   * @param topicServer where all else goes, as docs/install/beside-ntfy.md says: host and port
   */
  static async make(folder: string, example: string, app: string, topicServer: string): Promise<WebServer> {
    const port = await freePort();
    const read = (...path: string[]) => readFile(join(ROOT, "docs", ...path), "utf8");
    const [, beside = ""] = /```nginx\n([^]*?)```/.exec(await read("install", "beside-ntfy.md")) ?? [];
    const server = (await read("hosting", example))
      .replace("listen 443 ssl;", `listen 127.0.0.1:${String(port)};`)
      .replace(/ *ssl_certificate.*\n/g, "")
      .replaceAll("/srv/earshot", app)
      .replace(/\}\s*$/, `\n${beside.replace("127.0.0.1:2586", topicServer)}}\n`);
    await mkdir(folder, { recursive: true });
    const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
      .map((name) => `${name}_temp_path ${join(folder, name)};`)
      .join(" ");
    await writeFile(
      join(folder, "nginx.conf"),
      `daemon off; master_process off; pid ${join(folder, "nginx.pid")}; error_log ${join(folder, "error.log")};
events {}
http {
include /etc/nginx/mime.types; access_log ${join(folder, "access.log")}; ${temporary}
${server}}
`,
    );
    return new WebServer(folder, port);
  }

  async start(): Promise<void> {
    const program = findProgram(NGINX);
    if (program === undefined) throw new Error("nginx is not installed");
    this.#process = spawn(program, ["-p", this.#folder, "-c", join(this.#folder, "nginx.conf")], { stdio: "inherit" });
    while (!(await answers(this.port))) {
      if (this.#process.exitCode !== null) throw new Error(await readFile(join(this.#folder, "error.log"), "utf8"));
    }
  }

  async stop(): Promise<void> {
    const process = this.#process;
    this.#process = undefined;
    if (!process || process.exitCode !== null) return;
    process.kill();
    await once(process, "exit");
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const end = (is: boolean) => {
      socket.destroy();
      setTimeout(() => resolve(is), is ? 0 : 20);
    };
    socket.once("connect", () => end(true));
    socket.once("error", () => end(false));
  });
}
