import type { Translation } from "../catalogue";
import { count } from "../format";
import { until } from "./formats";

/** The rules of alerts: quiet hours, muting everything, repeats. */
export const alertRules: Translation["alertRules"] = {
  muteAll: {
    heading: "Tout mettre en sourdine",
    open: "Tout mettre en sourdine…",
    hint: "Les messages continuent d’arriver et comptent comme non lus. Rien n’est signalé, pas même les messages urgents.",
    muted: (said) => (said ? `Tout est en sourdine ${until(said)}` : "Tout est en sourdine"),
    end: "Désactiver la sourdine",
    topics: "Sujets en sourdine",
    endOf: (name) => `Désactiver la sourdine de ${name}`,
    ended: "Tout est de nouveau signalé",
  },
  sounds: {
    heading: "Sons",
    hint: "Les sons d’Earshot, à la place de ceux du système, tant qu’il est ouvert et que les notifications sont activées. Les priorités basses et les sujets en sourdine restent silencieux.",
    of: { urgent: "Urgents", high: "Priorité haute", others: "Autres" },
    ofTopic: "Son",
    everywhere: "Comme dans les réglages",
    none: "Celui du système",
    names: { chime: "Carillon", knock: "Toc", drop: "Goutte", bell: "Cloche", siren: "Sirène" },
    play: "Écouter",
    notAllowed: "Le navigateur bloque le son jusqu’à ce que vous appuyiez sur quelque chose dans cette page.",
  },
  outage: {
    label: "Quand un serveur est injoignable",
    hint: "Alerte une fois, et une fois encore à son retour. Pas quand cet appareil lui-même n’a pas de réseau.",
    off: "Pas d’alerte",
    after: (minutes) =>
      minutes === 60 ? "Alerter après 1 heure" : `Alerter après ${count(minutes, { one: "minute", other: "minutes" })}`,
    pause: "Suspendre ces alertes",
    pauseHint: "Jusque-là, aucun serveur injoignable n’est signalé.",
    notPaused: "Non suspendues",
    pausedUntil: (said) => `J${until(said).slice(1)}`,
    pauses: { hour: "Pendant 1 heure", eight: "Pendant 8 heures" },
  },
  repeat: {
    label: "Répéter les alertes urgentes jusqu’à la lecture",
    hint: (minutes, times) =>
      `Les messages urgents sont signalés de nouveau toutes les ${count(minutes)} minutes, ${count(times)} fois au plus, tant qu’Earshot est ouvert.`,
  },
  quiet: {
    heading: "Heures calmes",
    keep: "Respecter des heures calmes",
    hint: "Les messages continuent d’arriver. Rien n’est signalé à ces heures.",
    span: (n) => `Plage calme ${count(n)}`,
    days: "Jours",
    from: "De",
    to: "À",
    nextDay: (to) => `Se termine à ${to} le lendemain.`,
    noTime: "Saisissez une heure.",
    add: "Ajouter une plage",
    remove: (n) => `Supprimer la plage calme ${count(n)}`,
    removed: "Plage calme supprimée",
    urgent: "Les messages urgents passent outre",
    now: (said, urgentAlerts) =>
      `${said === undefined ? "Toujours au calme" : `Au calme ${until(said)}`}${urgentAlerts ? " ; l’urgent passe outre" : ""}`,
    ahead: (from) => `Pas au calme pour l’instant ; prochaine plage : ${from}`,
    never: "Jamais au calme : aucun jour n’est choisi",
    off: "Désactivées",
    push: "Les heures calmes et la priorité minimale ne s’appliquent pas aux push sur cet appareil : son système affiche chaque push.",
    ofTopic: { everywhere: "Comme dans les réglages", none: "Aucune", own: "Propres au sujet" },
    everywhere: (said) => `Dans les réglages : ${said}`,
  },
};
