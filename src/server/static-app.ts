import { existsSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";
import staticFiles from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { isReservedTopic, isTopicName } from "../protocol";
import { CONTENT_SECURITY_POLICY, KEY_FRAME_POLICY } from "./content-security-policy";

/** The page that runs the script of a topic server, in a frame of the app. */
const KEY_FRAME = "server-key.html";

const securityHeaders = (file: string): Record<string, string> => ({
  "Content-Security-Policy": file === KEY_FRAME ? KEY_FRAME_POLICY : CONTENT_SECURITY_POLICY,
  "Referrer-Policy": "no-referrer",
});

/** The build puts a hash of the content into these names, so the content never changes. */
const HASHED_FOLDER = "assets";
const FOR_EVER = "public, max-age=31536000, immutable";
/** Clients check all other files for changes each time; an unchanged file is not sent again. */
const ASK_AGAIN = "no-cache";

/** The app's page. */
const PAGE = "index.html";

/** The build adds compressed files to scripts and styles; clients that accept these formats get them instead. */
const COMPRESSED = ["**/*.br", "**/*.gz"];

/**
 * Files whose paths belong to the protocol (docs/protocol.md §2), and files without extension, whose paths could be
 * topics.
 */
const NEVER_SERVED = ["config.js", "v1/**", "file/**", "**/+([!.])"];

/** The encodings the page is sent in, smallest first, with their encoders. */
const ENCODERS = { br: promisify(brotliCompress), gzip: promisify(gzip) } as const;
type Encoding = keyof typeof ENCODERS;

/** The page in one encoding. */
interface EncodedPage {
  encoding: Encoding;
  bytes: Buffer;
  etag: string;
}

/** The best encoding that an `Accept-Encoding` allows; undefined if the page must be sent as it is. */
function acceptedOf(header: string): Encoding | undefined {
  const accepted = header.split(",").flatMap((one) => {
    const [name = "", ...parameters] = one.split(";").map((part) => part.trim().toLowerCase());
    return parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter)) ? [] : [name];
  });
  return (["br", "gzip"] as const).find((encoding) => accepted.includes(encoding));
}

/** By path and encoding, shared by all servers of a process: compressing a page takes as long as a server's start. */
const kept = new Map<string, EncodedPage & { version: string }>();

/**
 * Reads a page that is sent compressed. The build doesn't compress it, because hosts edit it: it is compressed once per
 * version, when first requested.
 * @returns a function that takes a request's `Accept-Encoding`
 */
function encodedPage(path: string): (accepted: string) => Promise<EncodedPage | undefined> {
  return async (accepted) => {
    const encoding = acceptedOf(accepted);
    if (!encoding) return undefined;
    const { size, mtimeMs } = await stat(path);
    const version = `${size.toString(16)}-${Math.floor(mtimeMs).toString(16)}`;
    const key = `${encoding} ${path}`;
    const before = kept.get(key);
    if (before?.version === version) return before;
    const bytes = await ENCODERS[encoding](await readFile(path));
    const page = { encoding, bytes, version, etag: `W/"${version}-${encoding}"` };
    kept.set(key, page);
    return page;
  };
}

/** The app's fragment for a path of the protocol (docs/design.md §6; docs/protocol.md §16). */
function appFragment(path: readonly string[], query: URLSearchParams): string {
  const [first = "", second] = path;
  if (second === undefined && isReservedTopic(first)) return first === "settings" ? "#/~settings" : "";
  // Credentials never enter a link (docs/design.md §2).
  const kept = new URLSearchParams([...query].filter(([name]) => !/^(auth|authorization)$/i.test(name))).toString();
  return `#/${path.join("/")}${kept === "" ? "" : `?${kept}`}`;
}

/** Answers a page's path with the app. @throws Refusal 40401 if no app is served */
export type LeadToApp = (request: FastifyRequest, reply: FastifyReply, path: readonly string[]) => FastifyReply;

/** Whether a path leads to a topic of another server, as in `/<other host>/<topic>` (docs/protocol.md §16). */
export function isOtherServersTopic(host: string, topic: string): boolean {
  const isHost = !host.includes("/") && host.slice(1, -1).includes(".");
  return isHost && isTopicName(topic);
}

/** Whether the folder holds a built app. */
export function hasApp(folder: string): boolean {
  return existsSync(join(folder, PAGE));
}

/**
 * Serves the built app (docs/design.md §3). Each file has a route of its own, so no file can shadow a path of the
 * protocol.
 */
export async function addStaticApp(app: FastifyInstance, folder: string): Promise<void> {
  await app.register(staticFiles, {
    root: folder,
    wildcard: false,
    globIgnore: [PAGE, ...NEVER_SERVED, ...COMPRESSED],
    preCompressed: true,
    index: false,
    cacheControl: false,
    setHeaders(response, path) {
      const file = relative(folder, path);
      const isHashed = file.startsWith(HASHED_FOLDER);
      response.setHeader("Cache-Control", isHashed ? FOR_EVER : ASK_AGAIN);
      response.setHeader("Vary", "Accept-Encoding");
      for (const [name, value] of Object.entries(securityHeaders(file))) response.setHeader(name, value);
    },
  });
  const page = encodedPage(join(folder, PAGE));
  const sendPage = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const encoded = await page(request.headers["accept-encoding"] ?? "");
    if (!encoded) return reply.sendFile(PAGE);
    const { encoding, bytes, etag } = encoded;
    reply.headers({ ...securityHeaders(PAGE), "Cache-Control": ASK_AGAIN, Vary: "Accept-Encoding", ETag: etag });
    if (request.headers["if-none-match"] === etag) return reply.code(304).send();
    return reply.header("Content-Encoding", encoding).type("text/html; charset=utf-8").send(bytes);
  };
  app.get("/", sendPage);
  app.get(`/${PAGE}`, sendPage);
  // The app asks for it at each start; a 404 would show in the browser's console (docs/hosting.md).
  if (!existsSync(join(folder, "config.json"))) app.get("/config.json", (_request, reply) => reply.code(204).send());
}

/** Redirects a path to the app; relative, so that it also works behind a proxy with a path. */
export const redirectToApp: LeadToApp = (request, reply, path) => {
  const up = path.length > 1 ? "../" : "./";
  return reply.redirect(`${up}${appFragment(path, request.call.query)}`, 302);
};
