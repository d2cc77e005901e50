// A link that passes on a topic with a sign-in, which its sender chose to include.
import { namedLink, openingLink, parsePastedTopic, type AppLink, formatLink } from "../../../contract";
import { credentialsIn, decodeBase64Url, encodeBase64Url, isJsonObject, type Credentials } from "../../../protocol";
import type { LinkContent } from "../../state/navigation/opened-link";

/** What such a link's payload begins with, behind `#/~open/`. */
export const ACCESS = "access:";

/** A longer payload, characters, is rejected: it could unpack to a thousand times as much. */
const MAX_LETTERS = 15_000;

/**
 * The link to a view with credentials. They are packed so that nobody reads them in passing, not encrypted: the link is
 * a secret.
 * @param label the sender's name for the topic
 */
export async function accessLink(
  view: AppLink,
  label: string | undefined,
  credentials: Credentials,
  appUrl: string,
): Promise<string> {
  const link = label === undefined ? formatLink(view, undefined) : namedLink(view, label);
  return openingLink(`${ACCESS}${await packed(JSON.stringify({ link, credentials }))}`, appUrl);
}

/** What a link holds after `access:`; undefined if anything is damaged or invalid. */
export async function accessOf(payload: string): Promise<LinkContent | undefined> {
  const value = await unpacked(payload);
  const { link, credentials: given } = isJsonObject(value) ? value : {};
  if (typeof link !== "string" || !link.startsWith("#/")) return undefined;
  const linked = parsePastedTopic(link);
  const credentials = credentialsIn(given);
  return linked.ok && credentials ? { ...linked.value, credentials } : undefined;
}

/** Packs a text: gzip, for size and a checksum, then URL-safe base64. */
export async function packed(text: string): Promise<string> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"));
  return encodeBase64Url(new Uint8Array(await new Response(stream).arrayBuffer()));
}

/** The JSON in a payload; undefined if its checksum shows damage, it is too long, or no JSON. */
async function unpacked(payload: string): Promise<unknown> {
  const bytes = payload.length > MAX_LETTERS ? undefined : decodeBase64Url(payload);
  if (!bytes) return undefined;
  try {
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return JSON.parse(await new Response(stream).text());
  } catch {
    return undefined;
  }
}
