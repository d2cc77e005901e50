export { words } from "./catalogue";
export { speakLanguage, type Language } from "./language";
export * from "./format";
