// The strings of these screens load with their code.
import { later } from "./catalogue";
import { backup } from "./en/backup";

export const backupStrings = later("backup", backup);
