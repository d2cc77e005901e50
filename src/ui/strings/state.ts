// The strings of connection states load with the components that show them.
import { later } from "./catalogue";
import { state } from "./en/state";

export const stateStrings = later("state", state);
