// Reads a QR code back from the path that draws it, as ISO/IEC 18004 describes it.

/** The modules of a path of rectangles one unit high; `true` is dark. */
function modulesOf(path: string, size: number): boolean[][] {
  const modules = Array.from({ length: size }, () => Array.from({ length: size }, () => false));
  for (const [, x, y, width] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g)) {
    for (let at = Number(x); at < Number(x) + Number(width); at += 1) (modules[Number(y)] ?? [])[at] = true;
  }
  return modules;
}

/** Whether each mask inverts the module in row `i` and column `j`. */
const MASKS: ((i: number, j: number) => boolean)[] = [
  (i, j) => (i + j) % 2 === 0,
  (i) => i % 2 === 0,
  (_, j) => j % 3 === 0,
  (i, j) => (i + j) % 3 === 0,
  (i, j) => (Math.floor(i / 2) + Math.floor(j / 3)) % 2 === 0,
  (i, j) => ((i * j) % 2) + ((i * j) % 3) === 0,
  (i, j) => (((i * j) % 2) + ((i * j) % 3)) % 2 === 0,
  (i, j) => (((i + j) % 2) + ((i * j) % 3)) % 2 === 0,
];

/**
 * Reads the text of a code with bytes in a single block, which versions 1 to 3 have.
 * @throws if the quiet zone, the finder patterns or the mode are not as they should be
 */
export function readQrCode({ path, size }: { path: string; size: number }, quietZone = 4): string {
  const whole = modulesOf(path, size);
  const n = size - 2 * quietZone;
  const isDark = (y: number, x: number): boolean => whole[y + quietZone]?.[x + quietZone] ?? false;
  const dark = whole.flat().filter(Boolean).length;
  let inside = 0;
  for (let y = 0; y < n; y += 1) for (let x = 0; x < n; x += 1) if (isDark(y, x)) inside += 1;
  if (inside !== dark) throw new Error("the quiet zone is not empty");
  for (const [top, left] of [
    [0, 0],
    [0, n - 7],
    [n - 7, 0],
  ] as const) {
    for (let y = 0; y < 7; y += 1) {
      for (let x = 0; x < 7; x += 1) {
        const ring = Math.max(Math.abs(y - 3), Math.abs(x - 3));
        if (isDark(top + y, left + x) !== (ring !== 2)) throw new Error("a finder pattern is wrong");
      }
    }
  }

  const version = (n - 17) / 4;
  const isOfPattern = (y: number, x: number): boolean =>
    (x < 9 && y < 9) ||
    (x >= n - 8 && y < 9) ||
    (x < 9 && y >= n - 8) ||
    x === 6 ||
    y === 6 ||
    (version > 1 && Math.abs(x - (n - 7)) <= 2 && Math.abs(y - (n - 7)) <= 2);
  // The three bits of the mask in the format, which are themselves inverted by 101.
  const mask = MASKS[[2, 3, 4].reduce((bits, x) => bits * 2 + Number(isDark(8, x)), 0) ^ 0b101];
  const bits: number[] = [];
  let isUpward = true;
  for (let right = n - 1; right > 0; right -= 2) {
    if (right === 6) right = 5;
    for (let step = 0; step < n; step += 1) {
      const y = isUpward ? n - 1 - step : step;
      for (const x of [right, right - 1]) {
        if (!isOfPattern(y, x)) bits.push(Number(isDark(y, x) !== mask?.(y, x)));
      }
    }
    isUpward = !isUpward;
  }
  let at = 0;
  const take = (count: number): number => bits.slice(at, (at += count)).reduce((value, bit) => value * 2 + bit, 0);
  if (take(4) !== 0b0100) throw new Error("the text is not in bytes");
  return new TextDecoder().decode(Uint8Array.from({ length: take(8) }, () => take(8)));
}
