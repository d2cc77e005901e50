import { MediaQuery } from "svelte/reactivity";

/** The page is used by touch: nothing hovers, so a row's controls must be there from the start. */
export const coarsePointer = new MediaQuery("pointer: coarse");
