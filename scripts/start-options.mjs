// What npm start was asked for, and the addresses that it prints.
import { networkInterfaces } from "node:os";
import { parseArgs } from "node:util";
import { SetupError } from "./setup.mjs";

const USAGE = "npm start -- [--port N] [--host ADDRESS] [--config FILE]";

/**
 * @typedef {{ port?: number, host?: string, config?: string }} StartOptions
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @returns {StartOptions} only what was asked for; a config file may have the rest
 */
export function readStartOptions(args, env) {
  const options = /** @type {const} */ ({
    port: { type: "string" },
    host: { type: "string" },
    config: { type: "string" },
  });
  let values;
  try {
    ({ values } = parseArgs({ args, options, strict: true }));
  } catch (error) {
    throw new SetupError(`${error instanceof Error ? error.message : String(error)}\nUsage: ${USAGE}`);
  }
  const port = values.port ?? (env["PORT"] || undefined);
  if (port !== undefined && !(/^\d{1,5}$/.test(port) && Number(port) <= 65_535)) {
    throw new SetupError(`A port is a whole number from 0 to 65535, not ${port}.\nUsage: ${USAGE}`);
  }
  return {
    ...(port === undefined ? {} : { port: Number(port) }),
    ...(values.host === undefined ? {} : { host: values.host }),
    ...(values.config === undefined ? {} : { config: values.config }),
  };
}

/** Hosts that listen on every address of the machine. */
const EVERYWHERE = ["0.0.0.0", "::"];
/** Hosts that only this machine reaches. */
const LOOPBACK = ["127.0.0.1", "::1", "localhost"];

/** @param {string} host */
const inUrl = (host) => (host.includes(":") ? `[${host}]` : host);

/**
 * Addresses to open: on this machine, and from others in the network where they get in.
 * @param {string} host the server listens on
 * @param {number} port
 * @param {ReturnType<typeof networkInterfaces>} [interfaces]
 * @returns {{ here: string, elsewhere: string[] }}
 */
export function addressesOf(host, port, interfaces = networkInterfaces()) {
  const at = (/** @type {string} */ name) => `http://${inUrl(name)}:${port}/`;
  if (LOOPBACK.includes(host)) return { here: at("localhost"), elsewhere: [] };
  if (!EVERYWHERE.includes(host)) return { here: at(host), elsewhere: [] };
  const elsewhere = Object.values(interfaces)
    .flatMap((found) => found ?? [])
    .filter(({ family, internal }) => family === "IPv4" && !internal)
    .map(({ address }) => at(address));
  return { here: at("localhost"), elsewhere };
}
