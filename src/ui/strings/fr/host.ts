import type { Translation } from "../catalogue";
import { count } from "../format";
import { hostProblemTextFrom, type HostProblemStrings } from "../host-problem-text";

const problemStrings: HostProblemStrings = {
  wanted: {
    object: "un objet : { … }",
    list: "une liste : [ … ]",
    name: "un texte de 1 à 40 caractères",
    address: 'l’adresse d’un serveur, par exemple "https://ntfy.example.com"',
    colour: 'une couleur, par exemple "#0b7a75"',
    topic: 'un sujet, par exemple "backups" ou "ntfy.example.com/backups"',
    "push-key": "une clé pour les push : 87 caractères commençant par B",
    language: 'un code de langue, par exemple "fr", ou "system"',
    boolean: "true ou false",
    count: "un nombre entier, 0 ou plus",
    setting: "le nom d’un réglage qu’un hébergeur peut fixer",
    fewer: "50 éléments au plus",
  },
  oneOf: (values) => `l’une de ces valeurs : ${values}`,
  tooLong: "Le fichier dépasse 64 Ko et n’a pas été lu.",
  notJson: (text) => `Le fichier n’est pas du JSON : ${text}`,
  unknown: (at) => `${at} : nom inconnu`,
  wrong: (at = "Le fichier", wanted, found) => `${at} : il faut ${wanted} ; il y a ${found}`,
  notAllowed: (at) => `${at} : sur un serveur qu’allowedServers n’inclut pas.`,
};

/** What the host of the app has set. */
export const host: Translation["host"] = {
  heading: "De l’hébergeur",
  hint: "L’hébergeur de cette application a fixé ceci dans son config.json.",
  name: "Nom",
  server: "Serveur par défaut",
  allowed: "Des sujets peuvent être ajoutés sur",
  fixed: "Réglages fixés",
  locked: "Fixé par l’hébergeur de cette application. Ne peut pas être modifié ici.",
  problems: (n) => `${count(n, { one: "erreur", other: "erreurs" })} dans config.json`,
  problemsHint: "Les entrées erronées sont ignorées ; les autres s’appliquent.",
  problem: hostProblemTextFrom(problemStrings),
};
