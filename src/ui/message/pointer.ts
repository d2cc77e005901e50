import { MediaQuery } from "svelte/reactivity";

/** The page is worked with a finger: nothing hovers, so what a row offers must be there from the start. */
export const coarsePointer = new MediaQuery("pointer: coarse");
