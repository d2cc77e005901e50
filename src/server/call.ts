import { isIP } from "node:net";
import type { FastifyRequest } from "fastify";
import {
  decodeAuthorization,
  decodeAuthParameter,
  isReservedTopic,
  parameterReader,
  readAuthParameter,
  type ParameterName,
} from "../protocol";
import { type Deed, type User, findByPassword, mayDo } from "./access";
import type { Core } from "./core";
import { Refusal } from "./protocol-error";
import { withoutMapping, type Visitor } from "./visitors";

/** What every handler needs to know about a request: who sends it, and how. */
export interface Call {
  headers: NodeJS.Dict<string[]>;
  query: URLSearchParams;
  /** A parameter's value, from headers or query (docs/protocol.md §3). */
  read(name: ParameterName): string | undefined;
  /** Network address of the caller. */
  origin: string;
  visitor: Visitor;
  /** Address of this server as the caller wrote it, without final slash, for links to uploaded files. */
  baseUrl: string;
  /** Absent = the caller has not logged in. */
  user: User | undefined;
}

/** Longest host name with a port, in characters. */
const MAX_HOST_LENGTH = 253 + ":65535".length;

/** Address under which the caller reaches this server. */
function baseUrl(core: Core, { host, protocol, socket }: FastifyRequest): string {
  if (core.settings.baseUrl !== undefined) return core.settings.baseUrl;
  // The text goes into messages, so it must be a host and nothing else.
  const { localAddress = "localhost", localPort = 80 } = socket;
  const own = localAddress.includes(":") ? `[${localAddress}]:${localPort}` : `${localAddress}:${localPort}`;
  const isHost = host.length <= MAX_HOST_LENGTH && /^[A-Za-z0-9._-]+(:\d+)?$|^\[[0-9a-f:]+\](:\d+)?$/i.test(host);
  return `${protocol === "https" ? "https" : "http"}://${isHost ? host : own}`;
}

/** Reads who sends the request, without checking credentials yet. */
export function readCall(core: Core, request: FastifyRequest): Call {
  // Only addresses count, or any made-up text would make the caller a new visitor.
  const address = isIP(request.ip) > 0 ? request.ip : (request.socket.remoteAddress ?? "0.0.0.0");
  const headers = request.raw.headersDistinct;
  // Damaged escapes are kept as text; bytes that aren't UTF-8 become U+FFFD.
  const query = new URLSearchParams(/\?.*/s.exec(request.url ?? "")?.[0]);
  let reader: Call["read"] | undefined;
  return {
    headers,
    query,
    read: (name) => (reader ??= parameterReader(headers, query))(name),
    origin: withoutMapping(address),
    visitor: core.visitors.at(address),
    baseUrl: baseUrl(core, request),
    user: undefined,
  };
}

/**
 * Checks the credentials of a call (docs/protocol.md §9 and 10). Without access control they are ignored.
 * @throws Refusal 50001 malformed parameter, 42909 too many failures, 40101 wrong credentials
 */
export function authenticate(core: Core, call: Call): User | undefined {
  const { access } = core.settings;
  if (!access) return undefined;
  const parameter = readAuthParameter(call.query);
  const value = parameter === undefined ? call.headers["authorization"]?.[0] : decodeAuthParameter(parameter);
  if (value === undefined && parameter !== undefined) throw new Refusal(50001);
  const credentials = decodeAuthorization(value ?? "");
  if (credentials === "anonymous") return undefined;
  const { failedLogins } = call.visitor;
  if (failedLogins.left < 1) throw new Refusal(42909);
  const user =
    credentials === "malformed"
      ? undefined
      : credentials.kind === "token"
        ? core.accounts?.findByToken(credentials.token, call.origin)
        : findByPassword(access, credentials.user, credentials.password);
  if (user) return user;
  failedLogins.take();
  throw new Refusal(40101);
}

/** Takes a request from the visitor's bucket (docs/protocol.md §11). @throws Refusal 42901 */
export function takeRequest({ visitor }: Call): void {
  if (!visitor.requests.take()) throw new Refusal(42901);
}

/** Whether the operator or the protocol reserves the name. */
export function isReserved(core: Core, topic: string): boolean {
  return isReservedTopic(topic) || core.settings.reservedTopics.includes(topic);
}

/**
 * Lets a caller name topics, which creates them (docs/protocol.md §10). If one is refused, all are.
 * @throws Refusal 40010 reserved, 40301 not allowed, 42904 no room, 42911 too many new ones
 */
export function useTopics(core: Core, call: Call, deed: Deed, topics: readonly string[]): void {
  if (topics.some((topic) => isReserved(core, topic))) throw new Refusal(40010);
  const { access } = core.settings;
  // Checked first, so that a refused topic takes no room.
  if (access && !topics.every((topic) => mayDo(access, call.user, deed, topic))) throw new Refusal(40301);
  core.topics.use(topics, call.visitor);
}

/** Takes the query off an address, so that it can be logged. */
export function pathOf(url: string | undefined): string {
  return (url ?? "").replace(/\?.*/s, "");
}
