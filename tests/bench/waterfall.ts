/** A request of a visit. */
export interface Asked {
  path: string;
  /** When it reached the server, ms since the first one did. */
  atMs: number;
  /** Bytes as sent. */
  bytes: number;
}

/** A request, and how many had to come one after the other before it came. */
export interface Step extends Asked {
  /** From 1, which is the page. */
  step: number;
}

/**
 * Says how deep each request is. One is deeper than those that were answered when it was made, as far as round trips
 * tell: it came a round trip after them. What takes longer than that is transferring and running code.
 */
export function stepsOf(requests: readonly Asked[], roundTripMs: number): Step[] {
  const steps: Step[] = [];
  for (const one of requests.toSorted((a, b) => a.atMs - b.atMs)) {
    const answered = steps.filter(({ atMs }) => atMs + roundTripMs <= one.atMs);
    steps.push({ ...one, step: 1 + Math.max(0, ...answered.map(({ step }) => step)) });
  }
  return steps;
}

/** One character stands for so many ms. */
const SCALE_MS = 50;

/** The requests as lines of text, each with a bar that begins when it was made. */
export function waterfallOf(steps: readonly Step[]): string {
  return steps
    .map(({ step, atMs, bytes, path }) => {
      const columns = [`step ${step}`, `${atMs.toFixed(0)} ms`.padStart(8), `${bytes} B`.padStart(9)];
      return `${columns.join("  ")}  ${" ".repeat(Math.round(atMs / SCALE_MS))}▪ ${path}`;
    })
    .join("\n");
}
