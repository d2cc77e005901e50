import { randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { differences } from "./differences";
import { Names } from "./names";
import type { Step, Vector } from "./vector";
import { ask, openStream, openWebSocket, STEP_LIMIT_MS, type Channel } from "./wire";

/** Time that a server has to notice that we closed a stream, ms, as nothing reports it. */
const CLOSE_NOTICED_MS = 50;

/**
 * Sends a server the requests of a vector, and returns the vector with that server's answers. Values that differ in
 * every run are replaced by names, so that recordings of two servers that do the same are equal.
 * @param given values that the vector's requests name and no step provides, such as a token
 */
export async function record(
  vector: Vector,
  server: string,
  given: Readonly<Record<string, string>> = {},
): Promise<Vector> {
  const names = new Names(given);
  names.give("base", server);
  for (const topic of vector.topics ?? []) names.give(topic, topic + randomBytes(5).toString("hex"));
  const channels = new Map<string, Channel>();
  const channel = (name: string): Channel => {
    const found = channels.get(name);
    if (!found) throw new Error(`no stream "${name}" was opened`);
    return found;
  };
  const hide = <T>(value: T): T => names.hide(value) as T;

  async function take(step: Step): Promise<Step> {
    if ("stream" in step) {
      const open = step.webSocket ? openWebSocket : openStream;
      const opened = await open(server, names.fill(step.request));
      channels.set(step.stream, opened);
      return { ...step, answer: hide(opened.head) };
    }
    if ("request" in step) return { ...step, answer: hide(await ask(server, names.fill(step.request))) };
    if ("read" in step) {
      const { read, lines, withinMs = STEP_LIMIT_MS } = step;
      return { ...step, lines: hide(await channel(read).take(lines.length, withinMs)) };
    }
    if ("quiet" in step) {
      const { quiet, ms } = step;
      const lines = await channel(quiet).listen(ms);
      return { quiet, ms, ...(lines.length > 0 && { lines: hide(lines) }) };
    }
    if ("ended" in step) return { ...step, how: (await channel(step.ended).ending()) ?? "open" };
    if ("close" in step) {
      channel(step.close).close();
      await wait(CLOSE_NOTICED_MS);
    } else await wait(step.waitMs);
    return step;
  }

  const steps: Step[] = [];
  try {
    for (const step of vector.steps) {
      const taken = await take(step);
      // An equal step stays as it is written, with its fields in the same order.
      steps.push(differences(step, taken).length === 0 ? step : taken);
    }
  } finally {
    for (const open of channels.values()) open.close();
  }
  return { ...vector, steps };
}

/** Plays a vector against a server; returns the differences from the recording, in words. */
export async function play(
  vector: Vector,
  server: string,
  given: Readonly<Record<string, string>> = {},
): Promise<string[]> {
  try {
    const { steps } = await record(vector, server, given);
    return vector.steps.flatMap((step, index) => differences(step, steps[index], `step ${index + 1}`));
  } catch (error) {
    return [`stopped: ${error instanceof Error ? error.message : String(error)}`];
  }
}
