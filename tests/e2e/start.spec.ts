import { spawn, type ChildProcess } from "node:child_process";
import { createServer, type AddressInfo } from "node:net";
import { test as base } from "@playwright/test";
import { ROOT } from "../../scripts/source-hash.mjs";
import { expect } from "./fixtures";

/** A run of `npm start`, and its output. */
class Run {
  output = "";
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;

  constructor(args: string[], env: Record<string, string> = {}) {
    this.child = spawn(process.execPath, ["scripts/start.mjs", ...args], {
      cwd: ROOT,
      env: { ...process.env, ...env },
    });
    this.child.stdout?.on("data", (chunk: Buffer) => (this.output += chunk.toString()));
    this.child.stderr?.on("data", (chunk: Buffer) => (this.output += chunk.toString()));
    this.ended = new Promise((resolve) => this.child.on("exit", resolve));
  }

  /** Waits until the output matches; resolves to the first group of the match. */
  async says(pattern: RegExp): Promise<string> {
    await expect.poll(() => this.output).toMatch(pattern);
    return pattern.exec(this.output)?.[1] ?? "";
  }

  async stop(): Promise<number | null> {
    this.child.kill("SIGINT");
    return this.ended;
  }
}

const test = base.extend<{ start: (args: string[], env?: Record<string, string>) => Run }>({
  start: async ({}, use) => {
    const runs: Run[] = [];
    await use((args, env) => {
      const run = new Run(args, env);
      runs.push(run);
      return run;
    });
    await Promise.all(runs.filter(({ child }) => child.exitCode === null).map((run) => run.stop()));
  },
});

/** A port that is free now. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test("npm start prints an address that opens, a curl line that works, and a welcome topic, and Ctrl-C ends it at once, with all open streams", async ({
  start,
  page,
}) => {
  const port = await freePort();
  const run = start([], { PORT: String(port) });
  const address = await run.says(/(http:\/\/localhost:\d+\/)/);
  expect(address).toBe(`http://localhost:${port}/`);

  const line = await run.says(/^ {2}curl (.+)$/m);
  const [, body, target] = /^-d "([^"]+)" (\S+)$/.exec(line) ?? [];
  // Does what curl would do with this line, as the machine may have no curl.
  const answer = await fetch(`http://${target}`, { method: "POST", body: body ?? "" });
  expect(await answer.json()).toMatchObject({ event: "message", topic: "mytopic", message: body });

  await page.goto(`${address}#/welcome`);
  await page.getByRole("button", { name: "Subscribe" }).click();
  await expect.poll(() => page.getByRole("article").count()).toBeGreaterThan(3);

  const second = start([`--port=${port}`], { PORT: String(await freePort()) });
  expect(await second.ended, "--port beats PORT, and is taken").toBe(1);
  expect(second.output).toContain(`Port ${port} is taken`);
  expect(second.output).not.toMatch(/^\s+at /m);

  expect(await run.stop()).toBe(0);
});

test("the program reports an unknown option, and ends", async ({ start }) => {
  const run = start(["--prot", "1"]);
  expect(await run.ended).toBe(1);
  expect(run.output).toContain("Usage: npm start");
  expect(run.output).not.toMatch(/^\s+at /m);
});

test("with --host 0.0.0.0 the program prints what to open on a phone", async ({ start }) => {
  const run = start(["--host", "0.0.0.0", "--port", String(await freePort())]);
  await run.says(/curl/);
  expect(run.output).toMatch(/On a phone in the same network: http:\/\/\d+\.\d+\.\d+\.\d+:\d+\//);
});
