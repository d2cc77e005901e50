export * from "./frame";
export * from "./json";
export * from "./line-splitter";
export * from "./raw";
export * from "./sse";
