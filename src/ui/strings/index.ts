export { appStrings } from "./catalogue";
export { speakLanguage } from "./language";
export * from "./format";
