// The strings of these screens load with their code.
import { later } from "./catalogue";
import { columns, wall } from "./en/columns";

export const columnStrings = later("columns", columns);
export const wallStrings = later("wall", wall);
