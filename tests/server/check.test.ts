import { readFileSync } from "node:fs";
import { chmod, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:https";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { checkConfig, newConfigFile, readConfigFile, readOptions, type ServerOptions } from "../../src/server";
import { newFolder, start } from "./test-server";

const NOW_MS = Date.parse("2026-05-01T12:00:00Z");
const pem = (name: string) => readFileSync(join(import.meta.dirname, "certificate", name), "utf8");
const CERTIFICATE = { cert: pem("certificate.pem"), key: pem("key.pem") };

/** A server that answers with a time. */
const saying =
  (time: string): typeof fetch =>
  () =>
    Promise.resolve(new Response(null, { headers: { Date: time } }));
const ON_TIME = saying(new Date(NOW_MS).toUTCString());
const unreachable: typeof fetch = () => Promise.reject(new TypeError("fetch failed", { cause: new Error("no route") }));

let file: string;
const cleanUps: (() => unknown)[] = [];
beforeEach(async () => {
  file = join(await newFolder(), "earshot.json");
});
afterEach(() => Promise.all(cleanUps.splice(0).map((run) => run())));

/** What is found with the options of a file, as lines. */
async function findings(
  options: ServerOptions | string,
  { fetch = ON_TIME, nowMs = NOW_MS, isTrusted = true, timeFrom = "https://time.example" } = {},
): Promise<string> {
  await writeFile(file, typeof options === "string" ? options : JSON.stringify(options), { mode: 0o600 });
  const trust = isTrusted ? { ca: CERTIFICATE.cert } : {};
  const found = await checkConfig(file, { fetch, nowMs: () => nowMs, trust, timeFrom });
  return found.map(({ is, words }) => `${is}: ${words.replaceAll(file, "FILE")}`).join("\n");
}

/** A server that listens until the test ends; its port. */
async function listening(server: ReturnType<typeof createTcpServer>): Promise<number> {
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  cleanUps.push(() => new Promise((done) => server.close(done)));
  return (server.address() as AddressInfo).port;
}

describe("a new config file", () => {
  it("has no faults, and keys and passwords of its own", async () => {
    const first = newConfigFile();
    expect(await findings(first.replace("8080", "0"))).not.toContain("fault");
    const { access, webPush } = await readConfigFile(file);
    expect(access).toMatchObject({ default: "deny-all", users: [{ name: "admin", role: "admin" }] });
    expect(webPush).toMatchObject({ publicKey: expect.stringMatching(/^.{87}$/) });
    const secrets = (text: string) => text.match(/"[-_\w]{20,}"/g) ?? [];
    expect(new Set([...secrets(first), ...secrets(newConfigFile())]).size, "password, token, two keys; twice").toBe(8);
  });

  it("comments out only options that exist, limits and files with their defaults", async () => {
    await writeFile(file, newConfigFile().replaceAll(/\/\/ (?=["{])/g, ""));
    const options = await readConfigFile(file);
    expect(options.access).toMatchObject({ users: [{}, { name: "ada" }], rules: [{}, {}, {}] });
    const read = readOptions(options);
    const defaults = readOptions({ attachments: {} });
    if (!read.ok || !defaults.ok) throw new Error("refused");
    expect(read.value.limits).toEqual(defaults.value.limits);
    expect({ ...read.value.attachments, folder: undefined }).toEqual(defaults.value.attachments);
  });
});

describe("faults of a config file", () => {
  it.each([
    ['{\n  // a comment\n  "port": 1,\n  "prot": 2,\n}', "FILE:4: prot: there is no such option"],
    ['{\n  "cache": [\n 1 ] }', "FILE:2: cache: expected a duration"],
    [
      '{ "access": {\n "users": [\n { "name": "a", "password": "b" },\n { "name": "c" } ] } }',
      "FILE:4: access.users[1].password is missing",
    ],
    [
      '{ "access": {\n "rules": [\n { "user": "eve", "topic": "t" } ] } }',
      'FILE:3: access.rules[0].user: there is no user "eve"',
    ],
    ['{\n "webPush": { "publicKey": 1 }\n}', "FILE:2: webPush"],
    ['{\n  "port": 1\n  "host": "x"\n}', "FILE:3: this is not JSON: comma expected"],
    ['{\n  "port": ,\n}', "FILE:2: this is not JSON: value expected"],
    ["", "FILE:1: this is not JSON: value expected"],
    ["[]", "FILE:1: options: expected an object"],
  ])("%j: %s", async (text, words) => {
    const found = await findings(text);
    expect(found).toContain(words);
    expect(found).not.toMatch(/^(?!fault)/m);
  });
});

describe("the test of a port", () => {
  it("names one that is taken, unless this server has it", async () => {
    expect(await findings({ port: 0 })).toContain("ok: port: 127.0.0.1 port 0 is free");
    const taken = await listening(createTcpServer((socket) => socket.destroy()));
    expect(await findings({ port: taken }, { fetch })).toContain(`fault: port: Port ${taken} is taken`);
    const { server } = await start();
    expect(await findings({ port: server.port }, { fetch })).toContain("ok: port: a topic server answers at");
  });
});

describe("the test of folders", () => {
  it("finds one that can't be written to, or that would be made where nothing can be", async () => {
    const folder = await newFolder();
    expect(await findings({ port: 0, stateFile: join(folder, "new", "state") })).toContain(`ok: stateFile: ${folder}`);
    await writeFile(join(folder, "file"), "");
    await chmod(join(folder, "file"), 0o600);
    const found = await findings({ port: 0, attachments: { folder: join(folder, "file", "inside") } });
    expect(found).toContain("fault: attachments: expected a folder");
    expect(await findings({ port: 0 })).toContain("note: stateFile: none");
  });

  it("finds a file with passwords that others can read", async () => {
    const access = { users: [{ name: "ada", password: "x" }] };
    expect(await findings({ port: 0, access })).toContain("ok: FILE: users: 1, rules: 0");
    await chmod(file, 0o644);
    const found = await checkConfig(file, { fetch: ON_TIME, nowMs: () => NOW_MS });
    expect(found[0]).toMatchObject({ is: "fault", words: expect.stringContaining("chmod 600") });
  });
});

describe("the test of the certificate", () => {
  it.each([
    ["is accepted", {}, "localhost", "ok: certificate: that of localhost ends on 2120-01-01"],
    ["ends soon", { nowMs: Date.parse("2119-12-24") }, "localhost", "fault: certificate: that of localhost ends on"],
    ["is not signed by anyone", { isTrusted: false }, "localhost", "that browsers accept: self-signed certificate"],
    ["is another host's", {}, "127.0.0.1", "does not match certificate's altnames"],
  ])("says that it %s", async (_, how, host, words) => {
    const port = await listening(createServer(CERTIFICATE));
    expect(await findings({ port: 0, baseUrl: `https://${host}:${port}` }, how)).toContain(words);
  });

  it("says that nothing answers, and that there is none", async () => {
    expect(await findings({ port: 0, baseUrl: "https://localhost:1" })).toMatch(/fault: certificate: .*ECONNREFUSED/);
    expect(await findings({ port: 0, baseUrl: "http://localhost" })).toContain("note: certificate: none");
  });
});

describe("the test of the clock", () => {
  it.each([
    ["right", ON_TIME, "ok: clock: 2026-05-01T12:00:00Z here, 0 s after that of https://time.example"],
    ["an hour late", saying("Fri, 01 May 2026 13:00:00 GMT"), "fault: clock: 2026-05-01T12:00:00Z here, -3600 s after"],
    ["compared with nothing", saying(""), "note: clock: 2026-05-01T12:00:00Z here; https://time.example says no time"],
    ["compared with nothing", unreachable, "note: clock: 2026-05-01T12:00:00Z here; https://time.example: no route"],
  ])("says that it is %s", async (_, fetch, words) => {
    expect(await findings({ port: 0 }, { fetch })).toContain(words);
  });
});

it("no server is asked unless the operator named it", async () => {
  const asked = vi.fn(unreachable);
  await writeFile(file, JSON.stringify({ port: 0, webPush: {} }));
  const found = await checkConfig(file, { fetch: asked, nowMs: () => NOW_MS });
  expect(found.map(({ words }) => words)).toContainEqual(expect.stringContaining("compared with none"));
  expect(asked).not.toHaveBeenCalled();
});

it("the test of push keys finds keys that each start would make anew", async () => {
  expect(await findings({ port: 0 })).toContain("fault: push keys: each start makes new ones");
  const kept = { port: 0, stateFile: "state", webPush: { contact: "ada@example.com" } };
  expect(await findings(kept)).toContain("ok: push keys: made at the first start");
  expect(await findings({ ...kept, webPush: {} })).toContain(
    'note: push keys: some push services refuse pushes without a "contact"',
  );
  expect(await readFile(file, "utf8")).toContain("stateFile");
});
