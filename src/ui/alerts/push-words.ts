import type { PushWordsWithButtons } from "../../contract";
import { alertStrings } from "../strings/alerts";
import { pushStrings } from "../strings/push";

/** The texts for the worker that receives pushes, as it knows no language. */
export function pushWords(): PushWordsWithButtons {
  const { title, buttons } = alertStrings;
  return { ...pushStrings.words, title: title("{title}", "{topic}"), buttons };
}
