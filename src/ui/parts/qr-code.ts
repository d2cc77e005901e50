import { encode } from "uqr";

/** The empty modules around a code that scanners need. */
const QUIET_ZONE = 4;

/** How many bytes the largest code holds (ISO/IEC 18004), by error correction level (15 % and 7 %). */
const MAX_BYTES = { M: 2_331, L: 2_953 };

/** A text as a QR code: a path in a square of `size`, one unit a module, quiet zone included; undefined if too long. */
export function qrCode(text: string): { size: number; path: string } | undefined {
  const { length } = new TextEncoder().encode(text);
  if (length > MAX_BYTES.L) return undefined;
  const { size, data } = encode(text, { ecc: length > MAX_BYTES.M ? "L" : "M", border: QUIET_ZONE });
  return { size, path: data.map(rowPath).join("") };
}

/** The dark modules of a row, one rectangle per run. */
function rowPath(modules: readonly boolean[], y: number): string {
  let path = "";
  for (let x = 0; x < modules.length; x += 1) {
    if (!modules[x]) continue;
    const from = x;
    while (modules[x + 1]) x += 1;
    const width = x + 1 - from;
    path += `M${from} ${y}h${width}v1h-${width}z`;
  }
  return path;
}
