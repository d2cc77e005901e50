import type { Translation } from "../catalogue";
import { bytes, count, duration, inOneUnit } from "../format";

/** Files that come with messages. Lengths of time in ms, sizes in bytes. */
export const attachment: Translation["attachment"] = {
  load: "Charger l’image",
  play: "Lire",
  show: "Afficher le texte",
  hide: "Masquer le texte",
  from: (host) => `De ${host}`,
  on: (host) => `sur ${host}`,
  expiresIn: (ms) => `encore ${duration(inOneUnit(ms))} sur le serveur`,
  gone: "n’est plus sur le serveur",
  file: "Fichier",
  size: bytes,
  failed: {
    image: "impossible à afficher : absente, ou ce n’est pas une image",
    audio: "impossible à lire : absent, ou dans un format inconnu de ce navigateur",
    video: "impossible à lire : absente, ou dans un format inconnu de ce navigateur",
  },
  tryAgain: "Réessayer",
  kept: "conservé sur cet appareil",
  notKept: {
    gone: "le serveur l’avait supprimé avant qu’il puisse être conservé",
    refused: "non conservé : le serveur demandait une connexion",
    "too-large": "non conservé : plus grand que la limite des fichiers",
    "no-room": "non conservé : l’espace prévu pour les fichiers était épuisé",
    "disk-full": "non conservé : il n’y avait plus d’espace sur cet appareil",
    deleted: "non conservé : vous avez supprimé le fichier conservé",
    failed: "non conservé : aucune réponse, ou une réponse qui n’était pas le fichier",
  },
  save: "Enregistrer",

  image: {
    enlarge: (name) => `Agrandir ${name}`,
    zoomIn: "Zoom avant",
    zoomOut: "Zoom arrière",
    fit: "Ajuster",
    zoom: (percent) => `${count(percent)} %`,
    open: "Ouvrir dans un nouvel onglet",
    previous: "Image précédente",
    next: "Image suivante",
    save: "Enregistrer l’image",
    share: "Partager l’image",
    loading: "Chargement…",
    view: "Image ; les flèches la déplacent, + et − changent le zoom",
  },

  text: {
    reading: "Lecture…",
    first: (shown, total) =>
      total === undefined ? `Les premiers ${bytes(shown)}` : `Les premiers ${bytes(shown)} sur ${bytes(total)}`,
    empty: "Le fichier est vide",
    none: "Ce n’est pas du texte",
    gone: "N’est plus sur le serveur",
    failed: "Impossible à lire ici : pas de réponse, ou son hôte ne permet pas à cette page de le lire",
  },
};
