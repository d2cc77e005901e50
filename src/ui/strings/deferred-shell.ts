// What stands around the first rows has its words with its code.
import { later } from "./catalogue";
import { deferredShell } from "./en/deferred-shell";

export const deferredShellStrings = later("deferredShell", deferredShell);
