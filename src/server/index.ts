export * from "./welcome";
export * from "./cli";
export * from "./clock";
export * from "./content-security-policy";
export * from "./options";
export type { LocalMessage } from "./publish";
export type { RequestEntry } from "./call";
export * from "./start-server";
