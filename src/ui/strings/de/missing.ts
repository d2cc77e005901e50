import type { StringCatalogue } from "../catalogue";
import { count } from "../format";

const messages = { one: "Nachricht", other: "Nachrichten" };

/** The check for messages that the server has and this device doesn't. */
export const missing: StringCatalogue["missing"] = {
  looking: "Fragt den Server nach allem, was er hat …",
  none: "Nichts fehlt",
  found: (n) => `${count(n, messages)} ${n === 1 ? "hatte" : "hatten"} gefehlt`,
  forgot: "Der Server hat Nachrichten verloren, die er aufbewahrte; deshalb können einige endgültig fehlen.",
  foundAndForgot: (n) =>
    `${count(n, messages)} ${n === 1 ? "hatte" : "hatten"} gefehlt, und andere hat der Server verloren.`,
  show: "Zeigen",
  heading: (n) => `${count(n, messages)} ${n === 1 ? "hatte" : "hatten"} gefehlt`,
  text: "Sie stehen jetzt an ihrem Platz in ihren Themen. Die neuesten:",
};
