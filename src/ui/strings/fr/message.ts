import type { Translation } from "../catalogue";
import { count, duration, inOneUnit } from "../format";
import { formats, since, until } from "./formats";

/** The message page and its dialogs, and the text shown in place of messages. Durations in ms. */
export const message: Translation["message"] = {
  details: {
    tabs: "À propos de ce message",
    details: "Détails",
    versions: "Versions antérieures",
    raw: "Brut",
    steps: "Autres messages",
    previous: "Précédent",
    next: "Suivant",
    topic: "Sujet",
    priority: "Priorité",
    priorityValue: (n, name) => `${count(n)}, ${name.toLowerCase()}`,
    tags: "Étiquettes",
    received: "Reçu",
    via: { stream: "en direct", poll: "lors du rattrapage", push: "par push" },
    receivedValue: (at, via, after) => (after === undefined ? `${at}, ${via}` : `${at}, ${via} (${after})`),
    onServer: "Sur le serveur",
    until: (said) => until(said),
    goneSince: (said) => `supprimé ${since(said)}`,
    notKept: "n’y est pas conservé",
    due: "Prévu",
    noAlert: "Sans alerte",
    noAlertReasons: {
      unshown: "pendant 5 minutes, aucun onglet ne pouvait afficher de notification",
      history: "il était déjà sur le serveur lors de la première récupération de son sujet",
      superseded: "une version plus récente était déjà ici",
      read: "il avait déjà été lu, effacé ou terminé",
      muted: "son sujet était en sourdine",
      priority: "son sujet demandait une priorité plus haute",
      "all-muted": "tout était en sourdine",
      quiet: (said) => (said === undefined ? "heures calmes sans fin" : `heures calmes ${until(said)}`),
    },
    link: "Lien",
    id: "Identifiant",
    missing: "Ce message n’est plus stocké",
    close: "Fermer",
    copyJson: "Copier le JSON",
    curlCopied: "Commande curl copiée",
  },

  repeats: {
    seen: (n, isPart, ms, days) => {
      const time = days > 0 ? count(days, formats.day) : duration(inOneUnit(Math.max(ms, 1000)));
      return `Vu ${isPart ? "au moins " : ""}${count(n)} fois en ${time}`;
    },
    none: "Aucun autre message semblable n’est stocké.",
    chart: (first, last, most) =>
      `Graphique des moments : premier ${first}, dernier ${last}, ${count(most)} au plus par barre`,
    show: "Les lister",
    hide: "Masquer la liste",
  },

  request: {
    confirm: (label) => `« ${label} » envoie une requête`,
    confirmHint: "C’est le message qui le demande. Qui gère l’adresse verra l’adresse de votre réseau.",
    headers: "En-têtes",
    body: "Corps",
    send: "Envoyer",
    remember: (topic) => `Ne plus demander quand des messages de ${topic} demandent`,
    preview: "Ce bouton envoie une requête à",
    previews: "Ces boutons envoient des requêtes à",
  },

  json: {
    tree: "JSON",
    entries: (n) => count(n),
    more: (n) => `${count(n)} de plus`,
    moreCharacters: (n) => `${count(n, { one: "caractère", other: "caractères" })} de plus`,
    value: "Copier la valeur",
    valueCopied: "Valeur copiée",
    path: "Copier le chemin",
    pathCopied: "Chemin copié",
  },

  empty: {
    topic: "Aucun message pour l’instant",
    topicHint: "Les messages envoyés à ce sujet apparaissent ici aussitôt. Depuis un terminal :",
    everything: "Aucun message pour l’instant",
    everythingHint: "Les messages envoyés à vos sujets apparaissent ici aussitôt.",
    starred: "Aucun message avec étoile",
    starredHint:
      "Une étoile garde un message aussi longtemps que vous le voulez. Appuyez sur s sur un message, ou utilisez son menu.",
    scheduled: "Rien de programmé",
    scheduledHint: "Les messages à remettre plus tard sont listés ici avec leur heure.",
    done: "Rien de terminé",
    doneHint: "Les messages marqués comme terminés quittent le fil et sont listés ici.",
    snoozed: "Rien de reporté",
    snoozedHint: "Un message reporté quitte le fil et revient non lu à son heure. Appuyez sur h sur un message.",
    urgent: "Rien d’urgent",
    urgentHint:
      "Les messages de priorité urgente sont listés ici. Ceux de priorité haute ont leur propre liste, à un clic d’ici.",
    example: "Ça marche",
  },

  snooze: {
    heading: "Reporter",
    times: { hour: "Dans 1 heure", evening: "Ce soir", tomorrow: "Demain", monday: "Lundi prochain" },
    now: "Le ramener maintenant",
    pick: "Choisir un moment",
    set: "Reporter",
    past: "Ce moment est passé.",
  },

  none: {
    heading: "Aucun résultat",
    hint: "Aucun message stocké ne correspond.",
    drop: "Sans",
    wouldShow: (n, isAll) => `${count(n)}${isAll ? "" : "+"} ${n > 1 ? "trouvés" : "trouvé"}`,
    together: "Même en retirant l’un d’eux, rien n’est trouvé.",
    none: "Aucun de ces filtres ne trouve quoi que ce soit à lui seul.",
    everywhere: "Rechercher dans tous les sujets",
    nowhere: "Aucun message des autres sujets ne correspond non plus.",
    clear: "Effacer le filtre",
  },

  preview: {
    heading: "Aperçu",
    empty: "Le serveur n’a pas de message de ce sujet en ce moment",
    none: "Aucun de ces messages ne correspond au filtre",
    more: (n) => count(n, { one: "plus ancien n’est pas affiché", other: "plus anciens ne sont pas affichés" }),
  },
};
