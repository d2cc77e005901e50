// Reads whose code is loaded on first use.
export { readBackup } from "./backup/read-backup";
export { findDamage } from "./repair";
export * from "./segments";
