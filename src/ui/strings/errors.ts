// The words of failures come when something failed, or with the parts that tell of them.
import { later } from "./catalogue";
import { errors } from "./en/errors";

export const errorStrings = later("errors", errors);
