import type { PushWorkerStringsWithButtons } from "../../contract";
import { alertStrings } from "../strings/alerts";
import { pushStrings } from "../strings/push";

/** The texts for the worker that receives pushes, as it knows no language. */
export function pushWorkerStrings(): PushWorkerStringsWithButtons {
  const { title, buttons } = alertStrings;
  return { ...pushStrings.worker, title: title("{title}", "{topic}"), buttons };
}
