// The words of states come with what shows them.
import { later } from "./catalogue";
import { state } from "./en/state";

export const stateStrings = later("state", state);
