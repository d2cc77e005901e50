import type { Figure } from "./figure";

/** Wide enough for the longest title, and for the names of lines on the right. */
const WIDTH = 960;
const HEIGHT = 400;
const MARGIN = { left: 64, right: 284, top: 40, bottom: 44 };
/** Distance between the names of two lines. */
const NAME_HEIGHT = 16;
/** Colours of the lines, which the names at their ends tell apart as well. */
const COLOURS = ["#0b7a75", "#b3261e", "#8a5a00", "#3a5a9b", "#6b4fa0", "#4d4d4d", "#a8327d", "#5b7a0b", "#c2571a"];

/** An SVG plot of cost against size, both on logarithmic scales; undefined if nothing was measured at several sizes. */
export function plotOf(title: string, figures: readonly Figure[]): string | undefined {
  const points = figures.flatMap(({ at, measured, unit = "ms" }) =>
    at && measured.median > 0 ? [{ ...at, line: `${at.line}${unit && `, ${unit}`}`, cost: measured.median }] : [],
  );
  const sizes = [...new Set(points.map(({ size }) => size))].sort((a, b) => a - b);
  const [smallest, largest] = [sizes[0], sizes.at(-1)];
  if (smallest === undefined || largest === undefined || smallest === largest) return undefined;
  const costs = points.map(({ cost }) => cost);
  const [least, most] = [floorPower(Math.min(...costs)), ceilPower(Math.max(...costs))];
  const x = (size: number) => scale(size, smallest, largest, MARGIN.left, WIDTH - MARGIN.right);
  const y = (cost: number) => scale(cost, least, most, HEIGHT - MARGIN.bottom, MARGIN.top);

  const named = [...new Set(points.map(({ line }) => line))].map((line) =>
    points
      .filter((point) => point.line === line)
      .sort((a, b) => a.size - b.size)
      .map((point) => ({ line, x: x(point.size), y: y(point.cost) })),
  );
  const nameYs = apart(named.map((own) => own.at(-1)?.y ?? 0));
  const lines = named.map((own, index) => {
    const colour = COLOURS[index % COLOURS.length] ?? "#000";
    const path = own.map((at) => `${at.x.toFixed(1)},${at.y.toFixed(1)}`);
    const dots = own.map((at) => `<circle cx="${at.x.toFixed(1)}" cy="${at.y.toFixed(1)}" r="3" fill="${colour}"/>`);
    const last = own.at(-1);
    const nameY = nameYs[index] ?? 0;
    const name = last
      ? `<path d="M${(last.x + 6).toFixed(1)} ${last.y.toFixed(1)}l14 ${(nameY - last.y).toFixed(1)}" stroke="${colour}"/>${text(last.x + 24, nameY + 4, last.line, "start", colour)}`
      : "";
    return `<polyline points="${path.join(" ")}" fill="none" stroke="${colour}" stroke-width="2"/>${dots.join("")}${name}`;
  });
  const powers: number[] = [];
  for (let power = least; power <= most * 1.001; power *= 10) powers.push(power);
  const grid = powers.map(
    (power) =>
      `<path d="M${MARGIN.left} ${y(power).toFixed(1)}H${WIDTH - MARGIN.right}" stroke="#ddd"/>${text(MARGIN.left - 8, y(power) + 4, short(power), "end")}`,
  );
  const marks = sizes.map((size) => text(x(size), HEIGHT - MARGIN.bottom + 20, short(size), "middle"));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="system-ui, sans-serif" font-size="12">`,
    `<rect width="100%" height="100%" fill="#fff"/>`,
    text(MARGIN.left, 22, title, "start", "#222"),
    ...grid,
    ...marks,
    ...lines,
    "</svg>\n",
  ].join("\n");
}

/**
 * Moves names that would be at these heights apart, so that none covers another: down first, then up from the lower
 * edge.
 */
function apart(heights: readonly number[]): number[] {
  const placed = heights.map((height, index) => ({ height, index })).sort((a, b) => a.height - b.height);
  let free = -Infinity;
  for (const name of placed) {
    name.height = Math.max(name.height, free);
    free = name.height + NAME_HEIGHT;
  }
  let below = HEIGHT - MARGIN.bottom;
  for (const name of placed.toReversed()) {
    name.height = Math.min(name.height, below);
    below = name.height - NAME_HEIGHT;
  }
  return placed.sort((a, b) => a.index - b.index).map(({ height }) => height);
}

function text(x: number, y: number, said: string, anchor: string, fill = "#555"): string {
  const safe = said.replace(/&/g, "&amp;").replace(/</g, "&lt;");
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}" fill="${fill}">${safe}</text>`;
}

function scale(value: number, from: number, to: number, start: number, end: number): number {
  return start + ((Math.log(value) - Math.log(from)) / (Math.log(to) - Math.log(from))) * (end - start);
}

const floorPower = (value: number): number => 10 ** Math.floor(Math.log10(value));
const ceilPower = (value: number): number => Math.max(10 ** Math.ceil(Math.log10(value)), floorPower(value) * 10);
const short = (value: number): string => new Intl.NumberFormat("en", { notation: "compact" }).format(value);
