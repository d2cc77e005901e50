import type { Translation } from "../catalogue";
import { duration, list } from "../format";

export const push: Translation["push"] = {
  heading: "Application fermée",
  receive: "Recevoir quand l’application est fermée",
  hint: "Le serveur remet les messages, chiffrés, au service push de votre navigateur, qui réveille Earshot un instant.",
  asking: "Enregistrement…",
  key: "Clé publique",
  keyHint: "Dans la configuration du serveur, elle s’appelle web-push-public-key et compte 87 caractères.",
  notKey: "Ce n’est pas une clé pour les push : une clé compte 87 caractères et commence par B.",
  useKey: "Utiliser cette clé",
  mustShow:
    "Sur ce système, chaque push affiche une notification ; le serveur n’envoie donc pas de push pour les sujets en sourdine : leurs messages s’affichent à l’ouverture d’Earshot.",
  refused: (topics) => `Sans push, car vous n’avez pas le droit de les lire : ${list(topics)}.`,
  since: "Enregistré",
  pushed: "Dernier push",
  checked: "Dernière vérification après un push",
  never: "Pas encore",
  test: "Tester les push",
  testHint: (topic) => `Le test envoie un message à ${topic} et attend son push.`,
  testMessage: "Test des push",
  testing: "En attente du push…",
  arrived: (ms) => `Le push est arrivé après ${duration(Math.max(ms, 1_000))}.`,
  lost: (ms) => `Aucun push n’est arrivé en ${duration(ms)}, et cet appareil n’a pas pu être enregistré de nouveau.`,
  renewed: (ms) =>
    `Aucun push n’est arrivé en ${duration(ms)} ; cet appareil a donc été enregistré de nouveau. Refaites le test : si ce push se perd aussi, le service push est lent ou injoignable.`,
  resumes: "La réception était activée ici. Elle reprend d’elle-même dès que vous autorisez les notifications.",
  support: {
    plain: "Indisponible en simple http : les navigateurs n’acceptent les push que pour les pages chargées en https.",
    install: "Disponible une fois Earshot sur l’écran d’accueil : touchez Partager, puis Sur l’écran d’accueil.",
    unsupported: "Ce navigateur n’accepte pas les push pour les pages web.",
    blocked:
      "Les notifications sont bloquées pour ce site, et les push avec elles. Autorisez-les dans les réglages du navigateur.",
  },
  faults: {
    denied: "Le navigateur n’a pas autorisé les notifications, et n’accepte pas de push sans elles.",
    unreachable: "Le service push du navigateur est injoignable. Réessayez plus tard.",
    untold:
      "Ce serveur n’a pas donné sa clé pour les push. S’il en envoie, son exploitant la connaît : saisissez-la ci-dessous.",
    off: "Ce serveur n’envoie pas de push.",
    "no-key": "Ce que ce serveur donne comme clé pour les push n’en est pas une.",
    strange: "Ce serveur ne dit pas s’il envoie des push.",
    "service-refused": "Ce serveur n’envoie rien au service push de votre navigateur.",
    "too-many-devices":
      "Le serveur n’a pas accepté cet appareil. Il en accepte dix à une même adresse ; désactivez les push sur un appareil que vous n’utilisez plus.",
    forbidden: "Le serveur ne vous permet de lire aucun de ces sujets.",
  },

  worker: {
    binary: "Données binaires",
    unseen: "Aucun texte visible",
    many: "{count} nouveaux messages",
    heldBack: "Messages arrivés sans alerte : {count}",
    changed: "Des messages ont changé",
  },
};
