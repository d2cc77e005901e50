import { parseServerAddress, type ServerAddress } from "../../protocol";

/**
 * The server that a topic without an address means: the one that the host wrote into the page
 * (`<meta name="earshot-server" content="https://…">`), else the page's own origin. It is never a user's setting, as a
 * link must mean the same to everyone (docs/design.md §6).
 */
export function homeServer(page: Document, origin: string): ServerAddress {
  const written = page.querySelector<HTMLMetaElement>('meta[name="earshot-server"]')?.content ?? "";
  const configured = parseServerAddress(written);
  if (configured.ok) return configured.value;
  const own = parseServerAddress(origin);
  if (own.ok) return own.value;
  throw new Error(`the page has no web origin: ${origin}`);
}
