// The words of these screens come with their code.
export { commands as commandWords } from "./en/commands";
