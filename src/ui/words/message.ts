// The words of these parts come with their code.
export { message as messageWords } from "./en/message";
