import type { StringCatalogue } from "../catalogue";
import { count } from "../format";

const messages = { one: "Nachricht", other: "Nachrichten" };

/** The check for messages that the server has and this device doesn't. */
export const missing: StringCatalogue["missing"] = {
  looking: "Fragt den Server nach allem, was er hat …",
  none: "Nichts fehlt",
  found: (n) => `${count(n, messages)} ${n === 1 ? "fehlte" : "fehlten"}`,
  forgot: "Der Server hat Nachrichten verloren, die er aufbewahrt hatte; deshalb können einige endgültig fehlen.",
  foundAndForgot: (n) => `${count(n, messages)} ${n === 1 ? "fehlte" : "fehlten"}, und andere hat der Server verloren.`,
  show: "Zeigen",
  heading: (n) => `${count(n, messages)} ${n === 1 ? "fehlte" : "fehlten"}`,
  text: "Sie stehen jetzt an ihrem Platz in ihren Themen. Die neuesten:",
};
