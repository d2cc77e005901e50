export * from "./address";
export * from "./contract";
export * from "./credentials";
export * from "./filter-language";
export * from "./message";
export * from "./priority";
export * from "./result";
export * from "./topic";
