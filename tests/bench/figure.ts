import type { Measurement } from "./bench-case";
import { median, summaryOf, type Summary } from "./statistics";

/** The summary of one measurement. */
export interface Figure extends Omit<Measurement, "floor" | "measured" | "beside"> {
  floor?: Summary;
  measured: Summary;
  /** Median divided by the floor's median; absent if there is no floor. */
  ratio?: number;
  /** The ratios of the single rounds, as a spread. */
  ratios?: Summary;
  isMet?: boolean;
  beside: Record<string, Summary>;
}

/** Summarizes a measurement: medians, spread and verdict. */
export function figureOf({ floor = [], measured, beside = {}, ...same }: Measurement): Figure {
  const figure: Figure = {
    ...same,
    measured: summaryOf(measured),
    beside: Object.fromEntries(Object.entries(beside).map(([what, values]) => [what, summaryOf(values)])),
  };
  if (floor.length > 0) {
    figure.floor = summaryOf(floor);
    if (floor.every((value) => value > 0)) {
      figure.ratio = median(measured) / median(floor);
      figure.ratios = summaryOf(measured.map((value, at) => value / (floor[at] ?? NaN)));
    }
  }
  if (same.budget) figure.isMet = isMet(figure, same.budget);
  return figure;
}

function isMet(
  { floor, measured, ratio = NaN }: Figure,
  { kind, atMost }: NonNullable<Measurement["budget"]>,
): boolean {
  switch (kind) {
    case "times":
      return ratio <= atMost;
    case "above":
      return measured.median - (floor?.median ?? NaN) <= atMost;
    case "value":
      return measured.median <= atMost;
  }
}

const HEAD = ["", "floor", "measured", "ratio", "budget"];

/** A table for the terminal. */
export function tableOf(figures: readonly Figure[]): string {
  const rows = figures.flatMap((figure) => {
    const { unit = "ms", floor, measured, ratio, ratios } = figure;
    return [
      [
        figure.name,
        floor ? spread(floor, unit) : "",
        spread(measured, unit),
        ratio === undefined || !ratios ? "" : spread({ ...ratios, median: ratio }, "", 2),
        verdict(figure),
      ],
      ...Object.entries(figure.beside).map(([what, values]) => [`  ${what}`, "", spread(values, unit), "", ""]),
    ];
  });
  const all = [HEAD, ...rows];
  const widths = HEAD.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ");
  return all.map((row) => line(row).trimEnd()).join("\n");
}

/** Values below this are printed with a decimal place. */
const FEW = 20;

function spread({ median, min, max }: Summary, unit: string, places = Math.abs(median) < FEW ? 1 : 0): string {
  const told = (value: number) => value.toFixed(places);
  const range = min === max ? "" : ` (${told(min)}–${told(max)})`;
  return `${told(median)}${unit && ` ${unit}`}${range}`;
}

function verdict({ budget, isMet, unit = "ms" }: Figure): string {
  if (!budget) return "";
  const most = {
    times: `${budget.atMost} times`,
    above: `+${budget.atMost} ${unit}`,
    value: `${budget.atMost} ${unit}`,
  };
  return `${most[budget.kind]} ${isMet ? "met" : "MISSED"}`;
}
