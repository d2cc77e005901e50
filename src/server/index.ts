export * from "./clock";
export * from "./config-file";
export * from "./content-security-policy";
export * from "./options";
export type { LocalMessage } from "./publish-locally";
export type { RequestEntry } from "./request-log";
export * from "./start-server";
export * from "./welcome";
