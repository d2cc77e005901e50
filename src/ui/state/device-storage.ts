// Small choices of this browser alone. They aren't in the database, and may be lost.

/** The browser may deny storage, as in some private windows, or have none left. */
function tried<Value>(work: () => Value): Value | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof DOMException) return undefined;
    throw error;
  }
}

export function kept(name: string): string | undefined {
  return tried(() => localStorage.getItem(name)) ?? undefined;
}

/** Stores a text. If it can't be stored, the choice lasts as long as this page. */
export function keep(name: string, text: string): void {
  tried(() => localStorage.setItem(name, text));
}

export function forget(name: string): void {
  tried(() => localStorage.removeItem(name));
}

/** The name for what is needed of the host's `config.json` before it is read again. */
export const KEPT_HOST = "earshot-host";

/** What `KEPT_HOST` holds: the default server, and colours by property. */
export interface KeptHost {
  server?: string;
  style?: Record<string, string>;
}

/** What the host set, as far as is known at the start. Anything else served from this origin may have written it. */
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
