/** When a saved file's address is revoked, ms: a browser may first ask where to save, then read it. */
const REVOKE_AFTER_MS = 600_000;

export function saveBlob(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), REVOKE_AFTER_MS);
}
