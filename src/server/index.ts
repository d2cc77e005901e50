export * from "./welcome";
export * from "./cli";
export * from "./check";
export * from "./config-file";
export * from "./content-security-policy";
export * from "./environment";
export * from "./options";
export type { LocalMessage } from "./publish";
export * from "./start-server";
