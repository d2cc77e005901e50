export { appStrings } from "./catalogue";
export { speakLanguage } from "./language";
export type { Language } from "./language-of";
export * from "./format";
