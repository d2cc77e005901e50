import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import { pipeline, Readable } from "node:stream";
import { constants, createBrotliCompress, createGzip } from "node:zlib";
import staticFiles from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from "fastify";
import { isReservedTopic, isTopicName } from "../protocol";
import { CONTENT_SECURITY_POLICY, KEY_FRAME_POLICY } from "./content-security-policy";
import { Refusal } from "./protocol-error";

/** The page that runs the script of a topic server, in a frame of the app. */
const KEY_FRAME = "server-key.html";

/** The build puts a hash of the content into these names, so the content never changes. */
const HASHED_FOLDER = "assets";
const FOR_EVER = "public, max-age=31536000, immutable";
/** Clients check all other files for changes each time; an unchanged file is not sent again. */
const ASK_AGAIN = "no-cache";

/** The app's page, and what its host sets. */
const PAGE = "index.html";
const CONFIG = "config.json";

/** The build adds compressed files to scripts and styles; clients that accept these formats get them instead. */
const COMPRESSED = ["**/*.br", "**/*.gz"];

/** Paths of the protocol (docs/protocol.md §2), and files without extension, which could be topics. */
const NEVER_SERVED = ["config.js", "v1/**", "file/**", "**/+([!.])"];

/** Makes it much smaller than gzip does, in 2 ms. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };
/** The encodings the page is sent in, smallest first. */
const ENCODERS = { br: () => createBrotliCompress(BROTLI), gzip: () => createGzip() } as const;

/** Compresses the page as it is sent. The build doesn't compress it, because hosts edit it. */
const compressed: RouteShorthandOptions = {
  onSend(request, reply, payload, done) {
    const accepted = (request.headers["accept-encoding"] ?? "").split(",").map((name) => name.trim());
    const encoding = (["br", "gzip"] as const).find((name) => accepted.includes(name));
    if (!encoding || reply.statusCode !== 200 || !(payload instanceof Readable)) return done(null, payload);
    reply.removeHeader("Content-Length").header("Content-Encoding", encoding);
    done(
      null,
      pipeline(payload, ENCODERS[encoding](), () => undefined),
    );
  },
};

/** The app's fragment for a path of the protocol (docs/design.md §6; docs/protocol.md §16). */
function appFragment(path: readonly string[], query: URLSearchParams): string {
  const [first = "", second] = path;
  if (second === undefined && isReservedTopic(first)) return first === "settings" ? "#/~settings" : "";
  // Credentials never enter a link (docs/design.md §2).
  const kept = new URLSearchParams([...query].filter(([name]) => !/^(auth|authorization)$/i.test(name))).toString();
  // A header can't hold what the path had escaped.
  const parts = path.map((part) => encodeURIComponent(part).replaceAll("%3A", ":"));
  return `#/${parts.join("/")}${kept === "" ? "" : `?${kept}`}`;
}

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
 * Serves the app (docs/design.md §3), a route for each file, so that none shadows the protocol.
 * @param config the app's `config.json` (docs/hosting.md); absent = that of the folder
 */
export async function addStaticApp(app: FastifyInstance, folder: string, config?: object): Promise<void> {
  await app.register(staticFiles, {
    root: folder,
    wildcard: false,
    globIgnore: [PAGE, ...(config ? [CONFIG] : []), ...NEVER_SERVED, ...COMPRESSED],
    preCompressed: true,
    index: false,
    cacheControl: false,
    setHeaders(response, path) {
      const file = relative(folder, path);
      const isHashed = file.startsWith(HASHED_FOLDER);
      response.setHeader("Cache-Control", isHashed ? FOR_EVER : ASK_AGAIN);
      response.setHeader("Vary", "Accept-Encoding");
      response.setHeader("Content-Security-Policy", file === KEY_FRAME ? KEY_FRAME_POLICY : CONTENT_SECURITY_POLICY);
      response.setHeader("Referrer-Policy", "no-referrer");
    },
  });
  for (const path of ["/", `/${PAGE}`]) app.get(path, compressed, (_request, reply) => reply.sendFile(PAGE));
  // The app asks for it at each start; a 404 would show in the browser's console (docs/hosting.md).
  if (config) app.get(`/${CONFIG}`, () => config);
  else if (!existsSync(join(folder, CONFIG))) app.get(`/${CONFIG}`, (_request, reply) => reply.code(204).send());
}

/** Redirects a path to the app; relative, so that it also works behind a proxy with a path. @throws Refusal 40401 without app */
export function leadToApp(request: FastifyRequest, reply: FastifyReply, path: readonly string[]): FastifyReply {
  if (!request.server.hasRoute({ method: "GET", url: "/" })) throw new Refusal(40401);
  const up = path.length > 1 ? "../" : "./";
  return reply.redirect(`${up}${appFragment(path, request.call.query)}`, 302);
}
