// What belongs to this browser alone and may be lost: small choices of the page, none of the database.

/** What was kept under a name. Where a private window denies storage, nothing ever was. */
export function kept(name: string): string | undefined {
  try {
    return localStorage.getItem(name) ?? undefined;
  } catch (error) {
    if (error instanceof DOMException) return undefined;
    throw error;
  }
}

/** Keeps a text. Denied or full, the choice holds for this page, which is all that can be had. */
export function keep(name: string, text: string): void {
  try {
    localStorage.setItem(name, text);
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
}
