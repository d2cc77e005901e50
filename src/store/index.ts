export * from "./changes";
export * from "./open-store";
export * from "./reader";
export * from "./schema";
export * from "./store";
export * from "./store-error";
