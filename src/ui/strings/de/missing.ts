import type { Catalogue } from "../catalogue";
import { count } from "../format";

const messages = { one: "Nachricht", other: "Nachrichten" };

/** Die Suche nach Nachrichten, die der Server hat und dieses Gerät nicht. */
export const missing: Catalogue["missing"] = {
  looking: "Fragt den Server nach allem, was er hat …",
  none: "0 fehlten",
  found: (n) => `${count(n, messages)} ${n === 1 ? "hatte" : "hatten"} gefehlt`,
  forgot: "Der Server hat Nachrichten verloren, die er aufbewahrte; deshalb können einige endgültig fehlen.",
  foundAndForgot: (n) =>
    `${count(n, messages)} ${n === 1 ? "hatte" : "hatten"} gefehlt, und andere hat der Server verloren.`,
  show: "Zeigen",
  heading: (n) => `${count(n, messages)} ${n === 1 ? "hatte" : "hatten"} gefehlt`,
  text: "Sie stehen jetzt an ihrem Platz in ihren Themen. Die neuesten:",
};
