import type { Translation } from "../catalogue";
import { count, duration, list } from "../format";
import { since } from "./formats";

const NEW = { one: "nouveau", other: "nouveaux" };

/** Notifications, and the settings that are about them. */
export const alerts: Translation["alerts"] = {
  heading: "Notifications",
  states: {
    on: "Activées. Vous êtes prévenu tant qu’Earshot est ouvert.",
    off: "Désactivées",
    ask: "Désactivées. Le navigateur demandera l’autorisation.",
    blocked:
      "Bloquées pour ce site. Pour les autoriser, cliquez sur l’icône à côté de l’adresse, puis sur Notifications ; sur un téléphone, ouvrez les réglages du navigateur pour ce site.",
    plain:
      "Indisponibles en simple http : les navigateurs n’affichent les notifications que des pages chargées en https.",
    install: "Disponibles une fois Earshot sur l’écran d’accueil : touchez Partager, puis Sur l’écran d’accueil.",
    unsupported: "Ce navigateur ne prend pas en charge les notifications des pages web.",
    failed: "Indisponibles pour l’instant : le navigateur n’exécute aucun service worker pour cette page.",
  },
  turnOn: "Activer",
  turnOff: "Désactiver",
  test: "Envoyer un test",
  testSent:
    "Test envoyé. Si rien n’apparaît, le système le retient : vérifiez ses réglages de notification et le mode « Ne pas déranger ».",
  testFailed: "Le navigateur n’a affiché aucune notification.",
  testTitle: "Les notifications fonctionnent",
  testBody: "Voici à quoi elles ressemblent.",
  topicHint: "Les réglages d’un sujet permettent de le mettre en sourdine ou de fixer sa priorité minimale.",

  buttons: { done: "Terminé", snooze: "Reporter d’une heure" },
  title: (title, topic) => `${title} · ${topic}`,
  inOne: (n, topic) => `${count(n, NEW)} dans ${topic}`,
  inSeveral: (n, topics) => `${count(n, NEW)} dans ${count(topics, { one: "sujet", other: "sujets" })}`,
  withUrgent: (said, n) => `${said}, dont ${count(n, { one: "urgent", other: "urgents" })}`,
  arrived: (n, isPart, where) =>
    `${
      isPart
        ? `${count(n)} nouveaux messages ou plus`
        : count(n, { one: "nouveau message", other: "nouveaux messages" })
    } dans ${typeof where === "number" ? count(where, { one: "sujet", other: "sujets" }) : list(where)}`,
  topicLine: (topic, n) => `${topic} : ${count(n, { one: "message", other: "messages" })}`,
  more: (n) => `et ${count(n, { one: "autre sujet", other: "autres sujets" })}`,

  stopped: (server) => `Rien n’arrive de ${server}`,
  refused: (topics) => `Rien n’arrive de ${list(topics)}`,
  away: (server) => `${server} est injoignable`,
  awaySince: (said) =>
    `Injoignable ${since(said)}. Ce qui est envoyé entre-temps arrive à son retour, si le serveur le conserve.`,
  back: (server) => `${server} est de retour`,
  wasAway: (ms) => `Injoignable pendant ${duration(ms)}.`,
};
