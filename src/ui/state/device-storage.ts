// Small choices that belong to this browser alone, aren't in the database, and may be lost.

/** Reads a stored text. Undefined too if the browser denies storage, as in some private windows. */
export function kept(name: string): string | undefined {
  try {
    return localStorage.getItem(name) ?? undefined;
  } catch (error) {
    if (error instanceof DOMException) return undefined;
    throw error;
  }
}

/** Stores a text. If storage is denied or full, the choice lasts as long as this page. */
export function keep(name: string, text: string): void {
  try {
    localStorage.setItem(name, text);
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
}

/** Removes what was kept under a name. */
export function forget(name: string): void {
  try {
    localStorage.removeItem(name);
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
}

/** The name for what the host's `config.json` last said that is needed before it is read again. */
export const KEPT_HOST = "earshot-host";

/** What `KEPT_HOST` holds: the default server, and colours by property. */
export interface KeptHost {
  server?: string;
  style?: Record<string, string>;
}

/** What the host has set, as far as known at a start. Whatever else is served from this origin may have written it. */
export function keptHost(): KeptHost {
  let stored: unknown;
  try {
    stored = JSON.parse(kept(KEPT_HOST) ?? "{}");
  } catch (error) {
    // Unreadable: the file is read again anyway.
    if (error instanceof SyntaxError) return {};
    throw error;
  }
  const { server, style } = (stored ?? {}) as Partial<Record<keyof KeptHost, unknown>>;
  const colours = Object.entries(style ?? {}).filter(
    (entry): entry is [string, string] => entry[0].startsWith("--") && typeof entry[1] === "string",
  );
  return {
    ...(typeof server === "string" && { server }),
    ...(colours.length > 0 && { style: Object.fromEntries(colours) }),
  };
}
