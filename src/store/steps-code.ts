// Work on the database that has steps of its own, which few visits do.
export { importer } from "./backup/importer";
export { undoImport } from "./backup/undo";
export { fileSteps } from "./files/file-steps";
