import type { Translation } from "../catalogue";
import { count, timeOfDay } from "../format";

const lines = { one: "ligne", other: "lignes" };

/** The live tail of a topic as plain text. */
export const raw: Translation["raw"] = {
  heading: (topic) => `Brut : ${topic}`,
  what: "Texte en direct tel qu’envoyé, une ligne par message ; rien n’est stocké.",
  back: "Retour aux messages",
  label: "Lignes",
  ask: (topic, host) => `Écouter ${topic} sur ${host} sans s’abonner ?`,
  start: "Démarrer",
  states: {
    connecting: "Connexion",
    open: "En direct",
    waiting: "La connexion a pris fin. Nouvel essai en cours.",
    stopped: "Arrêté",
  },
  lastSign: (said) => `dernier signe ${said}`,
  lines: (n) => count(n, lines),
  left: (n) => count(n, { one: "ligne omise", other: "lignes omises" }),
  waitingForLines: "Rien pour l’instant. Chaque nouveau message est une ligne.",
  ended: (atMs) => `Connexion terminée ${timeOfDay(atMs)}`,
  again: (atMs) => `Reconnecté ${timeOfDay(atMs)} ; ce qui a été envoyé entre-temps n’est pas affiché`,
  pause: "Pause",
  follow: "Suivre",
  fresh: (n) => count(n, { one: "nouvelle", other: "nouvelles" }),
  copy: "Copier",
  copyHeading: "Copiez ces lignes",
  copied: "Lignes copiées",
  clear: "Effacer",
};
