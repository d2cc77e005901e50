export { en as words } from "./en";
export * from "./format";
