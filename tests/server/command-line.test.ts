import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listenProblem, readCommandLine } from "../../src/server";

describe("readCommandLine", () => {
  let folder: string;
  let config: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "earshot-config-"));
    config = join(folder, "server.json");
    await writeFile(config, JSON.stringify({ port: 7000, keepalive: "30s" }));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it.each([
    ["nothing, when nothing is said", [], {}, {}],
    ["the port from PORT", [], { PORT: "9000" }, { port: 9000 }],
    ["--port rather than PORT", ["--port", "9001"], { PORT: "9000" }, { port: 9001 }],
    ["an empty PORT for none", [], { PORT: "" }, {}],
    ["--host", ["--host=0.0.0.0"], {}, { host: "0.0.0.0" }],
  ])("takes %s", async (_, args, environment, value) => {
    expect(await readCommandLine(args, environment)).toEqual(value);
  });

  it("takes the rest from the config file, which the command line overrides", async () => {
    expect(await readCommandLine(["--config", config], {})).toEqual({ port: 7000, keepalive: "30s" });
    expect(await readCommandLine(["--config", config, "--port", "1"], {})).toMatchObject({ port: 1 });
  });

  it.each(["eighty", "-1", "65536", "80.5"])("refuses %s as a port with a message", async (port) => {
    const error = `A port is a whole number from 0 to 65535, not ${port}.`;
    await expect(readCommandLine([`--port=${port}`], {})).rejects.toThrow(error);
  });

  it("refuses an argument that it does not know", async () => {
    await expect(readCommandLine(["--prot", "9"], {})).rejects.toThrow("--prot");
  });

  it("refuses a missing config file", async () => {
    await expect(readCommandLine(["--config", join(folder, "none.json")], {})).rejects.toThrow("can't be read");
  });
});

describe("listenProblem", () => {
  const saying = (code: string) =>
    listenProblem(Object.assign(new Error("listen"), { code }), { port: 80, host: "10.9.9.9" });

  it.each([
    ["EADDRINUSE", "Port 80 is taken"],
    ["EACCES", "may not listen on port 80"],
    ["EADDRNOTAVAIL", "no address 10.9.9.9"],
  ])("puts %s in words", (code, words) => {
    expect(String(saying(code))).toContain(words);
  });

  it("leaves alone errors that don't concern the address", () => {
    expect(saying("ENOMEM")).toMatchObject({ code: "ENOMEM", message: "listen" });
  });
});
