// Reads whose code is loaded when one of them comes.
export { readBackup } from "./backup/read-backup";
export * from "./segments";
