export * from "./catalogue";
export * from "./dates";
export * from "./format";
export * from "./in-words";
