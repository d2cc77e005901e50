export * from "./reader";
export * from "./schema";
