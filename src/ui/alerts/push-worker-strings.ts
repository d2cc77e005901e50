import type { PushWorkerStringsWithButtons } from "../../contract";
import { alertStrings, pushStrings } from "../strings";

/** The texts of the push worker, which knows no language. */
export function pushWorkerStrings(): PushWorkerStringsWithButtons {
  const { title, buttons } = alertStrings;
  const { worker } = pushStrings;
  return {
    ...worker,
    many: worker.many({ count: "{count}" }),
    heldBack: worker.heldBack({ count: "{count}" }),
    title: title({ title: "{title}", topic: "{topic}" }),
    buttons,
  };
}
