// The words of a look for missing messages come with its code.
export { missing as missingWords } from "./en/missing";
