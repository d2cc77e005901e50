import type { Translation } from "../catalogue";
import { count } from "../format";

/** The check for messages that the server has and this device doesn't. */
export const missing: Translation["missing"] = {
  looking: "Demande au serveur de tout ce qu’il a…",
  none: "Rien ne manque",
  found: (n) => count(n, { one: "message manquait", other: "messages manquaient" }),
  forgot: "Le serveur a perdu des messages qu’il conservait ; certains manquent peut-être définitivement.",
  foundAndForgot: (n) =>
    `${count(n, { one: "message manquait", other: "messages manquaient" })}, et le serveur en a perdu d’autres.`,
  show: "Afficher",
  heading: (n) => count(n, { one: "message manquait", other: "messages manquaient" }),
  text: "Ils sont maintenant dans leurs sujets, dans l’ordre. Les plus récents :",
};
