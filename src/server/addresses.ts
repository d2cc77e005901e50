import { networkInterfaces } from "node:os";

/** Hosts that mean every address of the machine. */
const EVERYWHERE = ["0.0.0.0", "::"];
/** Hosts that only this machine can reach. */
const LOOPBACK = ["127.0.0.1", "::1", "localhost"];

/** Where a server can be reached, each without final slash. */
export interface Addresses {
  /** On this machine. */
  here: string;
  /** From other machines on the network, such as a phone; empty if the server listens only on loopback. */
  elsewhere: string[];
}

/** The addresses of a server that listens on a host and port, as people open them. */
export function addressesOf(host: string, port: number, interfaces = networkInterfaces()): Addresses {
  const at = (name: string) => `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
  // Browsers treat localhost as a secure context, whatever it resolves to.
  if (LOOPBACK.includes(host)) return { here: at("localhost"), elsewhere: [] };
  if (!EVERYWHERE.includes(host)) return { here: at(host), elsewhere: [at(host)] };
  const outside = Object.values(interfaces)
    .flatMap((found) => found ?? [])
    .filter(({ family, internal }) => family === "IPv4" && !internal);
  return { here: at("localhost"), elsewhere: outside.map(({ address }) => at(address)) };
}
