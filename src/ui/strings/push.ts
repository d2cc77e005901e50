// The strings of pushes load with their code.
import { later } from "./catalogue";
import { push } from "./en/push";

export const pushStrings = later("push", push);
