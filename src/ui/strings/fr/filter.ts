import { HAS_VALUES, IS_VALUES } from "../../../contract";
import { PRIORITY_NAMES } from "../../../protocol";
import type { Translation } from "../catalogue";
import { count, list } from "../format";

const examples: Readonly<Record<string, string>> = {
  priority: "priority:high",
  tag: "tag:backup",
  tags: "tags:backup,mail",
  title: "title:échec",
  message: "message:disque",
  id: "id=sPs71M8A2T",
  is: "is:unread",
  has: "has:attachment",
  after: "after:today",
  before: "before:2026-11-20",
  topic: "topic:backups",
  server: "server:ntfy.sh",
  group: "group:maison",
};

/** Chips and completion of the filter box, and its messages about faulty words. */
export const filter: Translation["filter"] = {
  found: (n) => count(n),
  of: (total) => ` sur ${count(total)}`,
  counting: "décompte…",
  quick: "Filtres rapides",
  unread: "Non lus",
  important: "Priorité haute et urgente",
  starred: "Avec étoile",
  attachments: "Avec pièce jointe",
  not: "sauf",
  names: {
    priority: "priorité",
    tags: "étiquette",
    title: "titre",
    message: "texte",
    id: "identifiant",
    is: "état",
    has: "contient",
    after: "après",
    before: "avant",
    topic: "sujet",
    server: "serveur",
    group: "groupe",
  },
  remove: (term) => `Retirer ${term}`,
  suggestions: "Suggestions",
  keywords: {
    "is:": "unread, read, starred, done ou snoozed",
    "priority:": "une ou plusieurs : high,urgent",
    "tag:": "toutes ces étiquettes : backup,mail",
    "topic:": "un ou plusieurs : backups,door",
    "server:": "par nom ou adresse",
    "group:": "les sujets d’un groupe",
    "title:": "mots du titre",
    "message:": "mots du texte",
    "has:": "attachment, actions, click, title ou icon",
    "after:": "à partir d’un moment",
    "before:": "avant un moment",
    "-": "exclut ce qui suit",
  },
  is: {
    unread: "pas encore lu",
    read: "déjà lu",
    starred: "marqué d’une étoile",
    done: "traité",
    snoozed: "revient plus tard",
  },
  has: {
    attachment: "un fichier ou une image",
    actions: "des boutons",
    click: "un lien à ouvrir",
    title: "un titre propre",
    icon: "une icône",
  },
  priorities: { 1: "la plus basse", 2: "basse", 3: "celle de la plupart des messages", 4: "haute", 5: "la plus haute" },
  times: {
    "1h": "la dernière heure",
    today: "depuis minuit",
    yesterday: "depuis hier minuit",
    "3d": "les trois derniers jours",
    "1w": "la dernière semaine",
  },
  timesBefore: {
    "1h": "il y a plus d’une heure",
    today: "hier et avant",
    yesterday: "avant hier",
    "3d": "il y a plus de trois jours",
    "1w": "il y a plus d’une semaine",
  },
  tagged: (n) => `sur ${count(n, { one: "message", other: "messages" })}`,
  topic: (name) => `dans ${name}`,
  topicHint: "ce sujet seulement",
  topics: (n) => count(n, { one: "sujet", other: "sujets" }),
  didYouMean: (field) => `Vouliez-vous dire « ${field}: » ?`,
  write: (field) => `Écrire ${field}:`,
  asText: "Rechercher comme texte",
  wrong: {
    "empty-value": (word, field) => `« ${word} » demande une valeur, par exemple ${examples[field] ?? "un mot"}.`,
    "unclosed-quote": () => 'Il manque un guillemet. Terminez l’expression par un autre ".',
    "no-priority": () => "Il ne reste aucune priorité : elles vont de 1 (min) à 5 (urgent).",
    "bad-priority": (word) =>
      `« ${word} » n’est pas une priorité. Utilisez ${list(Object.values(PRIORITY_NAMES))}, ou de 1 à 5.`,
    "bad-date": (word) =>
      `« ${word} » n’est pas un moment. Utilisez 2026-11-20, 2026-11-20T10:00, today, yesterday, 2h ou 3d.`,
    "unknown-field": (word) => `« ${word} » n’est pas un champ.`,
    "unknown-value": (word, field) =>
      field === "has"
        ? `« ${word} » n’est pas connu ici. Utilisez has:${list([...HAS_VALUES])}.`
        : `« ${word} » n’est pas connu ici. Utilisez is:${list([...IS_VALUES])}.`,
  },
};
