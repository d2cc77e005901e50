// The strings of failures load when something fails, or with the parts that show failures.
import { later } from "./catalogue";
import { errors } from "./en/errors";

export const errorStrings = later("errors", errors);
