import { createECDH } from "node:crypto";
import { DAY_S, type Result, fail, ok } from "../protocol";
import {
  type In,
  type Out,
  count,
  duration,
  flag,
  list,
  object,
  oneOf,
  optional,
  pattern,
  text,
} from "./option-fields";

const MEBIBYTE = 1024 * 1024;

/** The highest port. */
export const MAX_PORT = 65_535;

/** What a rule allows on the topics that its pattern matches (docs/protocol.md §9). */
const PERMISSIONS = ["read-write", "read-only", "write-only", "deny-all"] as const;
export type TopicPermission = (typeof PERMISSIONS)[number];

const token = pattern("a token of the form tk_ and 29 characters a-z, 0-9", /^tk_[a-z0-9]{29}$/);
const userName = pattern("a user name of letters, digits and -_.+@", /^[-_.+@a-zA-Z0-9]+$/);

const access = object({
  default: oneOf(PERMISSIONS, "read-write"),
  users: list(
    object({
      name: userName,
      password: pattern("a password", /^.+$/s),
      role: oneOf(["user", "admin"], "user"),
      tokens: list(token),
    }),
  ),
  rules: list(
    object({
      user: pattern("a user name, or * for everyone", /^(\*|[-_.+@a-zA-Z0-9]+)$/),
      topic: pattern("a topic name, in which * stands for anything", /^[-_*A-Za-z0-9]{1,64}$/),
      allow: oneOf(PERMISSIONS, "read-write"),
    }),
  ),
});

const limits = object({
  messageBytes: count(4096, 1, 16 * MEBIBYTE),
  delayMin: duration(10),
  delayMax: duration(3 * DAY_S),
  requests: count(60, 1),
  requestRefill: duration(5, 0.001),
  messagesPerDay: count(undefined),
  streams: count(30),
  streamBufferBytes: count(16 * MEBIBYTE, 1024),
  connections: count(200, 1),
  failedLogins: count(30, 1),
  failedLoginRefill: duration(60, 0.001),
  topics: count(15_000, 1),
  visitorTopics: count(6_000, 1),
  newTopics: count(100, 1),
  newTopicRefill: duration(60, 0.001),
  cacheBytes: count(128 * MEBIBYTE, 1024),
  headerTime: duration(15, 0.01),
  requestTime: duration(300, 0.01),
  idleTime: duration(75, 0.01),
});

const attachments = object({
  folder: text(undefined),
  fileBytes: count(15 * MEBIBYTE),
  visitorBytes: count(100 * MEBIBYTE),
  totalBytes: count(5 * 1024 * MEBIBYTE),
  keep: duration(3 * 3600),
  trafficBytesPerDay: count(500 * MEBIBYTE),
});

const webPush = object({
  publicKey: optional(pattern("a VAPID key, 87 characters of URL-safe base64", /^[-_A-Za-z0-9]{87}$/)),
  privateKey: optional(pattern("a VAPID key, 43 characters of URL-safe base64", /^[-_A-Za-z0-9]{43}$/)),
  contact: optional(pattern("an e-mail address", /^[^@\s]+@[^@\s]+$/)),
  warnAfter: duration(55 * DAY_S),
  expireAfter: duration(60 * DAY_S),
  allowLoopback: flag(false),
});

/** All options with their defaults (docs/protocol.md §11); docs/server.md explains each. */
const options = object({
  host: text("127.0.0.1"),
  port: count(8080, 0, MAX_PORT),
  baseUrl: optional(pattern("an address that begins with http:// or https://", /^https?:\/\/[^/?#]+(\/[^?#]*)?$/)),
  behindProxy: flag(false),
  allowOrigin: text("*"),
  app: text(undefined),
  reservedTopics: list(pattern("a topic name", /^[-_A-Za-z0-9]{1,64}$/)),
  keepalive: duration(45, 0.01),
  cache: duration(12 * 3600),
  stateFile: text(undefined),
  scheduleInterval: duration(10, 0.01),
  cleanupInterval: duration(60, 0.01),
  limits,
  attachments: optional(attachments),
  access: optional(access),
  webPush: optional(webPush),
});

/** Options as written, in a config file or in code. */
export type ServerOptions = In<typeof options>;
/** Options as read: defaults filled in, durations in seconds. */
export type ResolvedOptions = Out<typeof options>;
export type AttachmentSettings = NonNullable<ResolvedOptions["attachments"]>;
export type AccessSettings = NonNullable<ResolvedOptions["access"]>;
export type PushSettings = NonNullable<ResolvedOptions["webPush"]>;

/** What `earshot` and `npm start` turn on. */
export const PACKAGE_DEFAULTS: ServerOptions = { attachments: {}, webPush: {} };

/** Options that can't be used; `problems` are sentences for the operator. */
export class OptionsError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(problems.join("\n"));
  }
}

/** The keys by which push services know this server (RFC 8292), as unpadded URL-safe base64. */
export interface PushKeys {
  /** Point on P-256, 65 bytes. */
  publicKey: string;
  /** 32 bytes. */
  privateKey: string;
}

export function isKeyPair({ publicKey, privateKey }: PushKeys): boolean {
  const curve = createECDH("prime256v1");
  try {
    curve.setPrivateKey(privateKey, "base64url");
  } catch {
    // Not every number of 32 bytes is a key.
    return false;
  }
  return curve.getPublicKey("base64url") === publicKey;
}

/** Reads options; the error holds every problem, each a sentence that names the option. */
export function readOptions(value: unknown): Result<ResolvedOptions, string[]> {
  const problems: string[] = [];
  const settings = options.read(value, "", problems);
  const names = settings.access?.users.map((user) => user.name) ?? [];
  for (const [at, { user }] of settings.access?.rules.entries() ?? []) {
    if (user !== "*" && user !== "" && !names.includes(user))
      problems.push(`access.rules[${at}].user: there is no user "${user}"`);
  }
  for (const [at, name] of names.entries()) {
    if (name !== "" && names.indexOf(name) !== at)
      problems.push(`access.users[${at}].name: "${name}" stands there twice`);
  }
  const { publicKey, privateKey, warnAfter = 0, expireAfter = 0 } = settings.webPush ?? {};
  if ((publicKey === undefined) !== (privateKey === undefined))
    problems.push("webPush: publicKey and privateKey go together; without both, the server makes its own");
  else if (publicKey && privateKey && !isKeyPair({ publicKey, privateKey }))
    problems.push("webPush: publicKey and privateKey do not belong together");
  if (warnAfter > expireAfter) problems.push("webPush: warnAfter is longer than expireAfter");
  if (settings.baseUrl !== undefined) settings.baseUrl = settings.baseUrl.replace(/\/$/, "");
  return problems.length > 0 ? fail(problems) : ok(settings);
}
