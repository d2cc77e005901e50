const UNITS = ["B", "KB", "MB", "GB", "TB"] as const;

/** A size as people say it: `0 B`, `284 KB`, `1.2 MB`; steps of 1,000, one decimal below ten. */
export function byteWords(bytes: number): string {
  if (!Number.isFinite(bytes) || bytes < 0) return "";
  let value = bytes;
  let unit = 0;
  // 999.5 would be rounded to 1,000 of its unit.
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000;
    unit++;
  }
  const digits = unit > 0 && value < 9.95 ? 1 : 0;
  return `${value.toFixed(digits).replace(/\.0$/, "")} ${UNITS[unit]}`;
}
