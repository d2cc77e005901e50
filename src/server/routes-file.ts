import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { takeRequest } from "./call";
import { nowS } from "./environment";
import { ATTACHMENT_POLICY } from "./content-security-policy";
import type { Core } from "./core";
import { codeOf, Refusal } from "./protocol-error";
import { servedType } from "./sniff";

/** How much of a file's start is read to find its type, in bytes. */
const SNIFF_BYTES = 4_096;

async function readStart(path: string): Promise<Buffer> {
  const handle = await open(path);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(SNIFF_BYTES), 0, SNIFF_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** A file name in quotes for a header: UTF-8 bytes, escaped, nothing that ends the line. */
function quotedName(name: string): string {
  const escaped = name.replace(/["\\]/g, "\\$&").replace(/\p{Cc}/gu, "_");
  return Buffer.from(`"${escaped}"`).toString("latin1");
}

/**
 * The first and last byte of a range request; the whole file for several or unreadable ranges, as RFC 9110 allows, and
 * for any range of an empty file.
 */
function partOf(range: string | undefined, bytes: number): { start: number; end: number } | "whole" | "outside" {
  const [, from = "", to = ""] = /^bytes=(\d*)-(\d*)$/i.exec(range ?? "") ?? [];
  if (bytes === 0 || (from === "" && to === "")) return "whole";
  if (from !== "" && to !== "" && Number(from) > Number(to)) return "whole";
  const start = from === "" ? Math.max(0, bytes - Number(to)) : Number(from);
  const end = from === "" || to === "" ? bytes - 1 : Math.min(Number(to), bytes - 1);
  return start > end ? "outside" : { start, end };
}

/** Serves uploaded attachments (docs/protocol.md §2 and 12). Without them, `/file/…` is a path like any other. */
export function addFileRoutes(app: FastifyInstance, core: Core): void {
  const { attachments } = core;
  if (!attachments) return;

  const sendFile = async (request: FastifyRequest<{ Params: { name: string } }>, reply: FastifyReply) => {
    const id = /^([-_A-Za-z0-9]{1,64})(?:\.[A-Za-z0-9]{1,16})?$/.exec(request.params.name)?.[1];
    if (id === undefined) throw new Refusal(40401);
    takeRequest(request.call);
    const file = attachments.find(id, nowS(core.host.clock));
    if (!file) throw new Refusal(40401);
    const path = attachments.path(id);
    const beginning = await readStart(path).catch((error: unknown) => {
      throw codeOf(error) === "ENOENT" ? new Refusal(40401) : error;
    });
    reply
      .header("Access-Control-Allow-Origin", core.settings.allowOrigin)
      .header("Accept-Ranges", "bytes")
      .header("Content-Type", servedType(beginning, request.params.name));
    // HEAD sends no content, so it doesn't count towards the uploader's traffic.
    if (request.method === "HEAD") return reply.header("Content-Length", file.bytes).send();
    const part = partOf(request.headers.range, file.bytes);
    if (part === "outside") return reply.status(416).header("Content-Range", `bytes */${file.bytes}`).send();
    const { start, end } = part === "whole" ? { start: 0, end: file.bytes - 1 } : part;
    const length = end - start + 1;
    const { traffic } = core.visitors.byKey(file.sender);
    if (traffic.left < length) throw new Refusal(42905);
    if (part !== "whole") reply.status(206).header("Content-Range", `bytes ${start}-${end}/${file.bytes}`);
    reply
      .header("Content-Security-Policy", ATTACHMENT_POLICY)
      // Set it before the length header: after that, Node would write this header as Latin-1.
      .header("Content-Disposition", `attachment; filename=${quotedName(file.name)}`)
      .header("Content-Length", length);
    if (length === 0) return reply.send("");
    // Read as fast as it is sent, until the uploader's traffic is used up.
    const content = createReadStream(path, { start, end }).on("data", (chunk) => {
      if (!traffic.take(chunk.length)) content.destroy(new Refusal(42905));
    });
    return reply.send(content);
  };

  app.route<{ Params: { name: string } }>({ method: ["GET", "HEAD"], url: "/file/:name", handler: sendFile });
}
