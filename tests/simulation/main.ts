// One of several processes: runs the seeds it is given and reports the result of each.
import { runGroup } from "./group-run";
import { run, type Outcome } from "./run";

const [first = 1, count = 1, step = 1] = process.argv.slice(2, 5).map(Number);
const words = process.argv.slice(5);
const play = words.includes("devices") ? runGroup : run;
const isLong = words.includes("long");
const isTraced = process.env.SIMULATION_TRACE === "1";

/** Fixed, as formatted dates depend on the time zone, and a run must not. */
process.env.TZ = "UTC";

const tell = (outcome: Outcome): void => {
  process.stdout.write(`${JSON.stringify(outcome.broken ? outcome : { ...outcome, steps: [], lastLines: [] })}\n`);
};

for (let at = 0; at < count; at++) {
  const print = isTraced && { print: (line: string) => process.stderr.write(`${line}\n`) };
  tell(await play(first + at * step, { isLong, ...print }));
}
