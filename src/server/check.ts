import { constants, access, stat } from "node:fs/promises";
import { createServer, isIP } from "node:net";
import { dirname } from "node:path";
import { connect, type ConnectionOptions } from "node:tls";
import { readConfigFile } from "./config-file";
import { OptionsError, PACKAGE_DEFAULTS, readOptions, type ResolvedOptions } from "./options";
import { codeOf, messageOf } from "./protocol-error";
import { addressesOf } from "./welcome";

/** What a test found; with nothing but notes, everything works. */
export interface ConfigFinding {
  is: "ok" | "note" | "fault";
  words: string;
}

const ok = (words: string): ConfigFinding => ({ is: "ok", words });
const note = (words: string): ConfigFinding => ({ is: "note", words });
const fault = (words: string): ConfigFinding => ({ is: "fault", words });

/** What the tests need besides the file. */
export interface CheckEnvironment {
  fetch: typeof globalThis.fetch;
  nowMs: () => number;
  /** What certificates are tested against; absent = what Node trusts. */
  trust?: Pick<ConnectionOptions, "ca">;
  /** Address of a server to compare the clock with; absent = none is asked. */
  timeFrom?: string | undefined;
}

/** How wrong the clock may be: messages and the signatures of pushes carry its time. */
const MOST_WRONG_S = 60;
/** Automatic renewal replaces a certificate about a month before it expires. */
const LEAST_DAYS = 14;
const ANSWER_WITHIN_MS = 10_000;

/** Reads a config file as the server would, and tests what it needs of the machine and the network. */
export async function checkConfig(path: string, environment: CheckEnvironment): Promise<ConfigFinding[]> {
  const read = await readConfigFile(path).then(
    (options) => readOptions({ ...PACKAGE_DEFAULTS, ...options }),
    (error: unknown) => {
      if (error instanceof OptionsError) return { ok: false, error: error.problems } as const;
      throw error;
    },
  );
  if (!read.ok) return read.error.map(fault);
  const options = read.value;
  const { stateFile, attachments } = options;
  return [
    await checkSecrecy(path, options),
    await checkPort(options, environment),
    stateFile === undefined
      ? note("stateFile: none, so messages go when the server stops")
      : await checkFolder("stateFile", dirname(stateFile)),
    ...(attachments?.folder === undefined ? [] : [await checkFolder("attachments", attachments.folder)]),
    await checkCertificate(options, environment),
    await checkClock(environment),
    checkPushKeys(options),
  ];
}

async function checkSecrecy(path: string, { access: rules }: ResolvedOptions): Promise<ConfigFinding> {
  if (!rules) return note(`${path}: without "access" anybody may read and publish everything`);
  const { mode } = await stat(path);
  // Windows has no permission bits.
  const isOpen = process.platform !== "win32" && (mode & 0o077) !== 0;
  if (isOpen) return fault(`${path}: others on this machine can read its passwords; expected chmod 600`);
  return ok(`${path}: users: ${rules.users.length}, rules: ${rules.rules.length}`);
}

async function checkPort(options: ResolvedOptions, { fetch }: CheckEnvironment): Promise<ConfigFinding> {
  const { host, port } = options;
  const server = createServer();
  const error = await new Promise<unknown>((done) =>
    server.once("error", done).listen(port, host, () => done(undefined)),
  );
  server.close();
  if (error === undefined) return ok(`port: ${host} port ${port} is free`);
  const health = `${addressesOf(host, port).here}/v1/health`;
  const isServer =
    codeOf(error) === "EADDRINUSE" &&
    (await fetch(health).then(
      ({ ok }) => ok,
      () => false,
    ));
  return isServer
    ? ok(`port: a topic server answers at ${health}`)
    : fault(`port: ${messageOf(listenProblem(error, options))}`);
}

/** Explains why the server can't listen at its address; returns any other error as it is. */
export function listenProblem(
  error: unknown,
  { host = "127.0.0.1", port = 8080 }: { host?: string; port?: number },
): unknown {
  const code = codeOf(error);
  if (code === "EADDRINUSE")
    return new OptionsError([`Port ${port} is taken by another program. Choose a free one with --port.`]);
  if (code === "EACCES")
    return new OptionsError([`This user may not listen on port ${port}. Choose one above 1023 with --port.`]);
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND")
    return new OptionsError([`This machine has no address ${host}.`]);
  return error;
}

/** Tests the folder, or the one in which it would be made. */
async function checkFolder(name: string, folder: string): Promise<ConfigFinding> {
  try {
    await access(folder, constants.W_OK | constants.X_OK);
    return ok(`${name}: ${folder} can be written`);
  } catch (error) {
    if (codeOf(error) === "ENOENT" && dirname(folder) !== folder) return checkFolder(name, dirname(folder));
    return fault(`${name}: expected a folder that this user can write: ${messageOf(error)}`);
  }
}

async function checkCertificate(
  { baseUrl }: ResolvedOptions,
  { nowMs, trust }: CheckEnvironment,
): Promise<ConfigFinding> {
  const address = baseUrl === undefined ? undefined : new URL(baseUrl);
  if (address?.protocol !== "https:") {
    return note("certificate: none, as baseUrl has no https; browsers then withhold notifications and offline use");
  }
  const host = address.hostname.replace(/^\[|\]$/g, "");
  const socket = connect({
    ...trust,
    host,
    port: Number(address.port || 443),
    ...(isIP(host) === 0 && { servername: host }),
    timeout: ANSWER_WITHIN_MS,
  });
  try {
    await new Promise<void>((done, fail) => {
      socket.once("secureConnect", done).once("error", fail);
      socket.once("timeout", () => fail(new Error(`no answer within ${ANSWER_WITHIN_MS / 1000} s`)));
    });
    const end = new Date(socket.getPeerCertificate().valid_to);
    const words = `certificate: that of ${host} ends on ${end.toISOString().slice(0, 10)}`;
    return end.getTime() - nowMs() > LEAST_DAYS * 86_400_000
      ? ok(words)
      : fault(`${words}; expected ${LEAST_DAYS} days more`);
  } catch (error) {
    return fault(`certificate: expected one at ${address.origin} that browsers accept: ${messageOf(error)}`);
  } finally {
    socket.destroy();
  }
}

async function checkClock({ fetch, nowMs, timeFrom }: CheckEnvironment): Promise<ConfigFinding> {
  const here = `clock: ${new Date(nowMs()).toISOString().slice(0, 19)}Z here`;
  if (timeFrom === undefined) return note(`${here}, compared with none; --time ADDRESS asks a server`);
  try {
    const { headers } = await fetch(timeFrom, { method: "HEAD", signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
    const offS = Math.round((nowMs() - Date.parse(headers.get("Date") ?? "")) / 1000);
    if (Number.isNaN(offS)) return note(`${here}; ${timeFrom} says no time`);
    const words = `${here}, ${offS} s after that of ${timeFrom}`;
    return Math.abs(offS) <= MOST_WRONG_S ? ok(words) : fault(`${words}; expected ${MOST_WRONG_S} s at most`);
  } catch (error) {
    return note(`${here}; ${timeFrom}: ${messageOf((error as Error).cause ?? error)}`);
  }
}

function checkPushKeys({ webPush, stateFile, baseUrl }: ResolvedOptions): ConfigFinding {
  if (!webPush) return note("push keys: none, as pushes are off");
  if (!webPush.publicKey && stateFile === undefined)
    return fault(
      "push keys: each start makes new ones, and browsers must register again; expected keys or a stateFile",
    );
  if (!webPush.contact && !baseUrl?.startsWith("https:"))
    return note('push keys: some push services refuse pushes without a "contact"');
  return ok(
    webPush.publicKey ? "push keys: they are a pair" : "push keys: made at the first start, kept in the stateFile",
  );
}
