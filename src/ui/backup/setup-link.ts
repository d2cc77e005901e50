// How the app is set up, as a link: topics, groups, views and settings, without messages and without sign-ins.
import { EMPTY_CATALOGUE, type Catalogue } from "../../client";
import { fail } from "../../protocol";
import { writeBackup } from "./write-backup";

/** What such a link's payload begins with, behind `#/~open/`. */
export const SETUP = "setup:";

/** A longer link isn't read by the app, characters; those who send it shorten it earlier still. */
const MOST_LETTERS = 15_000;

/** More text than this, bytes, is refused: a small link could decompress into something huge. */
const MOST_BYTES = 1_000_000;

/** The link to how the app is set up here; undefined if it is too much for a link. */
export async function setupLink(tables: Catalogue, app: string, nowMs: number): Promise<string | undefined> {
  const texts: string[] = [];
  // Settings at their defaults need no room in a QR code.
  const changed = Object.entries(tables.settings).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(EMPTY_CATALOGUE.settings[name as "theme"]),
  );
  const settings = Object.fromEntries(changed) as unknown as Catalogue["settings"];
  await writeBackup(
    { tables: { ...tables, settings }, read: () => Promise.resolve(fail({ kind: "failed", text: "" })) },
    { write: (text) => Promise.resolve(void texts.push(text)) },
    { scope: "setup", nowMs },
  );
  const packed = await bytesOf(new Blob(texts).stream().pipeThrough(new CompressionStream("gzip")), Infinity);
  const link = `${app.replace(/[?#].*/s, "")}#/~open/${SETUP}${base64Url(packed ?? new Uint8Array())}`;
  return link.length > MOST_LETTERS ? undefined : link;
}

/** The backup that a link holds; undefined if it is damaged: its checksum shows it. */
export async function setupOf(payload: string): Promise<Blob | undefined> {
  if (!/^[\w-]+$/.test(payload)) return undefined;
  try {
    const binary = atob(payload.replaceAll("-", "+").replaceAll("_", "/"));
    const packed = new Blob([Uint8Array.from(binary, (character) => character.charCodeAt(0))]);
    const text = await bytesOf(packed.stream().pipeThrough(new DecompressionStream("gzip")), MOST_BYTES);
    return text && new Blob([text]);
  } catch (error) {
    // It is no base64, or no whole gzip: engines have errors of different kinds for that.
    if (error instanceof Error) return undefined;
    throw error;
  }
}

async function bytesOf(stream: ReadableStream<Uint8Array>, most: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  const reader = stream.getReader();
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    bytes += chunk.value.length;
    if (bytes > most) {
      await reader.cancel();
      return undefined;
    }
    chunks.push(new Uint8Array(chunk.value));
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

function base64Url(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary)
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/={1,2}$/, "");
}
