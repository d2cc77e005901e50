// Credentials in a backup, encrypted with a passphrase (docs/backup-format.md).
import type { Catalogue } from "../../client";
import { serverAddressOf, type BackupCredentials, type SealedCredentials } from "../../contract";
import {
  areExtraHeaders,
  checkTopicName,
  credentialsIn,
  decodeBase64,
  encodeBase64,
  guards,
  isJsonObject,
  issuedIn,
} from "../../protocol";

/** How often the passphrase is hashed: OWASP's advice for PBKDF2 with SHA-256. It takes tenths of a second. */
const ITERATIONS = 600_000;

/** Bytes of the salt, which defeats precomputed tables, and of the initialisation vector, which AES-GCM needs. */
const SALT_BYTES = 16;
const IV_BYTES = 12;

/** Ties the encrypted text to its purpose. */
const PURPOSE = new TextEncoder().encode("earshot-backup credentials 1");

/** The credentials of the topics here, and the extra headers of their servers. */
export function credentialsOf({ accounts, servers, subscriptions }: Catalogue): BackupCredentials[] {
  const signIns = accounts.flatMap((account): BackupCredentials[] => {
    const { accountId, serverId, credentials } = account;
    const server = servers.find((one) => one.serverId === serverId);
    const topics = subscriptions.filter((one) => one.accountId === accountId).map(({ topic }) => topic);
    return server && topics.length > 0 ? [{ server: server.address, topics, credentials, ...issuedIn(account) }] : [];
  });
  const used = servers.filter(({ serverId }) => subscriptions.some((one) => one.serverId === serverId));
  const headers = used.flatMap(({ address, headers }): BackupCredentials[] =>
    headers ? [{ server: address, topics: [], headers }] : [],
  );
  return [...signIns, ...headers];
}

export async function seal(credentials: readonly BackupCredentials[], passphrase: string): Promise<SealedCredentials> {
  const salt = crypto.getRandomValues(new Uint8Array(SALT_BYTES));
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const key = await keyOf(passphrase, salt, ITERATIONS);
  const text = new TextEncoder().encode(JSON.stringify(credentials));
  const data = await crypto.subtle.encrypt({ name: "AES-GCM", iv, additionalData: PURPOSE }, key, text);
  return {
    kind: "credentials",
    iterations: ITERATIONS,
    salt: encodeBase64(salt),
    iv: encodeBase64(iv),
    data: encodeBase64(new Uint8Array(data)),
  };
}

/** Decrypts credentials; undefined if the passphrase is wrong or the text was changed. */
export async function unseal(sealed: SealedCredentials, passphrase: string): Promise<BackupCredentials[] | undefined> {
  const [salt, iv, data] = [decodeBase64(sealed.salt), decodeBase64(sealed.iv), decodeBase64(sealed.data)];
  if (!salt || !iv || !data) return undefined;
  try {
    const key = await keyOf(passphrase, salt, sealed.iterations);
    const text = await crypto.subtle.decrypt({ name: "AES-GCM", iv, additionalData: PURPOSE }, key, data);
    return decode(JSON.parse(new TextDecoder().decode(text)));
  } catch (error) {
    // A wrong key and changed text can't be told apart.
    if (error instanceof DOMException || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

async function keyOf(passphrase: string, salt: Uint8Array<ArrayBuffer>, iterations: number): Promise<CryptoKey> {
  // Letters can be encoded in several ways; NFKC makes them one.
  const bytes = new TextEncoder().encode(passphrase.normalize("NFKC"));
  const material = await crypto.subtle.importKey("raw", bytes, "PBKDF2", false, ["deriveKey"]);
  return crypto.subtle.deriveKey(
    { name: "PBKDF2", hash: "SHA-256", salt, iterations },
    material,
    { name: "AES-GCM", length: 256 },
    false,
    ["encrypt", "decrypt"],
  );
}

/** Even someone with the passphrase may have written anything. */
function decode(value: unknown): BackupCredentials[] {
  const entries = Array.isArray(value) ? value.filter(isJsonObject) : [];
  return entries.flatMap((entry): BackupCredentials[] => {
    const { server: written, topics, credentials, headers } = entry;
    const server = serverAddressOf(written);
    const own = credentialsIn(credentials);
    if (!server) return [];
    if (guards.stringMap(headers) && areExtraHeaders(headers)) return [{ server, topics: [], headers }];
    const names = Array.isArray(topics) ? topics.filter((topic) => guards.text(topic) && checkTopicName(topic).ok) : [];
    return own && Array.isArray(topics) ? [{ server, topics: names, credentials: own, ...issuedIn(entry) }] : [];
  });
}
