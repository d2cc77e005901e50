// The strings of the deferred shell load with its code.
import { later } from "./catalogue";
import { deferredShell } from "./en/deferred-shell";

export const deferredShellStrings = later("deferredShell", deferredShell);
