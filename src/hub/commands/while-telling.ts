import { CONTRACT_VERSION } from "../../contract";
import type { HubMessage } from "../lead/between-hubs";
import type { Timer } from "../environment";
import type { CommandContext } from "./context";

/** How often, ms, a writing hub says so: often enough not to be taken for one that has ended. */
const SAY_EVERY_MS = 4_000;

/** Unique within this worker. */
let nextId = 1;

/** Carries out a command that writes. A hub that doesn't lead tells the others meanwhile; see `ForeignWrites`. */
export async function whileTelling<Value>(context: CommandContext, work: () => Promise<Value>): Promise<Value> {
  if (context.isLeading()) return work();
  const { setTimer, clearTimer, channel } = context.environment;
  const { hubId: from } = context;
  const id = nextId++;
  const post = (kind: "writing" | "written"): void =>
    channel.post({ version: CONTRACT_VERSION, kind, from, id } satisfies HubMessage);
  let timer: Timer;
  const say = (): void => {
    post("writing");
    timer = setTimer(say, SAY_EVERY_MS);
  };
  say();
  try {
    return await work();
  } finally {
    clearTimer(timer);
    post("written");
  }
}
