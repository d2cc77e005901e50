// Small choices of the page that belong to this browser alone, aren't in the database, and may be lost.

/** Reads what was kept under a name. Undefined too if the browser denies storage, as in some private windows. */
export function kept(name: string): string | undefined {
  try {
    return localStorage.getItem(name) ?? undefined;
  } catch (error) {
    if (error instanceof DOMException) return undefined;
    throw error;
  }
}

/** Keeps a text. If storage is denied or full, the choice lasts only as long as this page. */
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
