// The words of these screens come with their code.
export { settings as settingsWords } from "./en/settings";
