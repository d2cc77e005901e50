// A link that passes on a topic with a sign-in, which its sender chose to include.
import {
  namedLink,
  openingLink,
  type LinkedTopics,
  parsePastedTopic,
  type AppLink,
  formatLink,
} from "../../../contract";
import { credentialsIn, type Credentials } from "../../../protocol";
import { ACCESS, packed, unpacked } from "../../state/packed-text";

/** A payload that decompresses to more, bytes, is rejected. */
const MAX_BYTES = 20_000;

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
  return openingLink(`${ACCESS}${await packed([JSON.stringify({ link, credentials })])}`, appUrl);
}

/**
 * What a link holds after `access:`, a topic and how to sign in for it; undefined if anything is damaged or invalid.
 */
export async function accessOf(
  payload: string,
): Promise<{ linked: LinkedTopics; credentials: Credentials } | undefined> {
  const bytes = await unpacked(payload, MAX_BYTES);
  if (!bytes) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null || !("link" in value) || !("credentials" in value)) return undefined;
  if (typeof value.link !== "string" || !value.link.startsWith("#/")) return undefined;
  const linked = parsePastedTopic(value.link);
  const credentials = credentialsIn(value.credentials);
  return linked.ok && credentials ? { linked: linked.value, credentials } : undefined;
}
