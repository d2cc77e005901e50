import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test as base } from "@playwright/test";
import { ROOT } from "../../scripts/source-hash.mjs";
import { expect } from "./fixtures";

/** A run of a program of the project, `npm start` unless another is named, and its output. */
class Run {
  output = "";
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;

  constructor(args: string[], env: Record<string, string> = {}, program = "scripts/start.mjs") {
    this.child = spawn(process.execPath, [program, ...args], {
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

const test = base.extend<{ start: (args: string[], env?: Record<string, string>, program?: string) => Run }>({
  start: async ({}, use) => {
    const runs: Run[] = [];
    await use((args, env, program) => {
      const run = new Run(args, env, program);
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
  const run = start(["--host", "0.0.0.0"], { PORT: String(port) });
  const address = await run.says(/(http:\/\/localhost:\d+\/)/);
  expect(address).toBe(`http://localhost:${port}/`);

  const line = await run.says(/^ {2}curl (.+)$/m);
  const [, body, target] = /^-d "([^"]+)" (\S+)$/.exec(line) ?? [];
  expect(run.output).toMatch(/On a phone in the same network: http:\/\/\d+\.\d+\.\d+\.\d+:\d+\//);
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

test.describe("the package", () => {
  // Packing builds its files anew, which no other packing may do at the same time.
  test.describe.configure({ mode: "default" });
  const folder = mkdtempSync(join(tmpdir(), "earshot-package-"));
  const npm = (...args: string[]) => execFileSync("npm", args, { cwd: folder, encoding: "utf8", stdio: "pipe" });
  const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { version: string };
  const command = join(folder, "node_modules", ".bin", "earshot");

  test.beforeAll(() => {
    npm("pack", ROOT, "--loglevel=error");
    // It needs no other package, so no registry is asked.
    npm("install", "--offline", "--no-audit", "--no-fund", `./earshot-${version}.tgz`);
  });
  test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test("holds the command, the built app and its documents, and nothing else", () => {
    const files = execFileSync("tar", ["-tzf", join(folder, `earshot-${version}.tgz`)], { encoding: "utf8" });
    const places = new Set(
      files
        .trim()
        .split("\n")
        .map((file) => file.replace(/^package\/((?:bin|dist)\/)?.*/, "$1") || file),
    );
    expect([...places].sort()).toEqual([
      "bin/",
      "dist/",
      ...["CHANGELOG.md", "LICENSE", "README.md", "package.json"].map((name) => `package/${name}`),
    ]);
  });

  test("serves app and server without anything else, and says what it takes", async ({ start, page }) => {
    const version1 = start(["--version"], {}, command);
    expect(await version1.ended).toBe(0);
    expect(version1.output).toMatch(new RegExp(`^${version}$`, "m"));
    const help = start(["--help"], {}, command);
    expect(await help.ended).toBe(0);
    expect(help.output).toContain("--app-only");
    const odd = start(["--prot", "1"], {}, command);
    expect(await odd.ended).toBe(1);
    expect(odd.output).toContain("earshot --app-only");
    expect(odd.output).not.toMatch(/^\s+at /m);
    const versions = "Object.defineProperty(process,'versions',{value:{...process.versions,node:'18.20.8'}})";
    const old = start([], { NODE_OPTIONS: `--import=data:text/javascript,${versions}` }, command);
    expect(await old.ended).toBe(1);
    expect(old.output).toMatch(/^Earshot needs Node 20\.19 or newer; this is 18\.20\.8\.$/m);
    expect(old.output).not.toMatch(/^\s+at /m);

    const run = start(["--port", "0"], {}, command);
    const address = await run.says(/(http:\/\/localhost:\d+\/)/);
    await page.goto(`${address}#/welcome`);
    await page.getByRole("button", { name: "Subscribe" }).click();
    await expect.poll(() => page.getByRole("article").count()).toBeGreaterThan(3);
    const taken = start(["--port", new URL(address).port], {}, command);
    expect(await taken.ended).toBe(1);
    expect(taken.output).toContain("is taken");
    expect(await run.stop()).toBe(0);
  });

  test("writes a config file, checks it, and starts with it", async ({ start }) => {
    const file = join(folder, "earshot.json");
    const made = start(["init", file], {}, command);
    expect(await made.ended).toBe(0);
    expect(made.output).toContain(`earshot --config ${file}`);
    const again = start(["init", file], {}, command);
    expect(await again.ended, "what is there stays").toBe(1);
    const odd1 = start(["init", "--port", "1"], {}, command);
    expect(await odd1.ended, "no file has an option's name").toBe(1);
    const odd2 = start(["check", file, file], {}, command);
    expect(await odd2.ended).toBe(1);
    expect(odd2.output).toContain("Name one file");

    const run = start(["--config", file, "--port", "0"], {}, command);
    const address = await run.says(/(http:\/\/localhost:\d+\/)/);
    expect((await fetch(`${address}mytopic/json?poll=1`)).status).toBe(403);
    expect(run.output, "a line that is let in").toContain('curl -u admin -d "Hello"');
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.replace("8080", new URL(address).port));
    const checked = start(["check", file], {}, command);
    expect(await checked.ended).toBe(0);
    expect(checked.output).toContain("a topic server answers");
    writeFileSync(file, text.replace('"port"', '"prot"'));
    const odd = start(["check", file], {}, command);
    expect(await odd.ended).toBe(1);
    expect(odd.output).toMatch(/earshot\.json:\d+: prot: there is no such option/);
    expect(await run.stop()).toBe(0);
  });

  test("serves the app alone, with the server that is named", async ({ start, page }) => {
    const server = await freePort();
    const run = start(["--app-only", "--server", `http://localhost:${server}`, "--port", "0"], {}, command);
    const address = await run.says(/(http:\/\/localhost:\d+\/)/);
    expect(await (await fetch(`${address}config.json`)).json()).toEqual({ server: `http://localhost:${server}` });
    expect((await fetch(`${address}mytopic/json?poll=1`)).status).toBe(404);
    await page.goto(`${address}#/doors`);
    await expect(page.getByText(`localhost:${server}`).first()).toBeVisible();
    expect(await run.stop()).toBe(0);

    const odd = start(["--app-only", "--server", "ftp://example.com"], {}, command);
    expect(await odd.ended).toBe(1);
    expect(odd.output).toContain("--server");
  });
});
