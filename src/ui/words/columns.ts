// The words of these screens come with their code.
import { later } from "./catalogue";
import { columns, wall } from "./en/columns";

export const columnWords = later("columns", columns);
export const wallWords = later("wall", wall);
