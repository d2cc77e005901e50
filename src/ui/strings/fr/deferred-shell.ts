import type { Translation } from "../catalogue";
import { count } from "../format";
import { since, until } from "./formats";

/** Header, menus and strips: what loads after the first rows. */
export const deferredShell: Translation["deferredShell"] = {
  kept: (n) => count(n, { one: "stocké", other: "stockés" }),
  completeSince: (said) => `Complet ${since(said)}`,
  completeUntil: (said) => `Complet ${until(said)}`,
  high: (unread) =>
    unread ? `Priorité haute (${count(unread, { one: "non lu", other: "non lus" })})` : "Priorité haute",
  groupMenu: (name) => `Actions pour ${name}`,
  share: "Partager",
  qrCode: "Code QR…",
  more: "Plus",
  markRead: "Tout marquer comme lu",
  markedRead: (n) => count(n, { one: "message marqué comme lu", other: "messages marqués comme lus" }),
  nothingUnread: "Rien de non lu ici",
  notices: "Avis",
  linkCopied: "Lien copié",
  copyByHand: "Copiez ce lien",
  menu: {
    publish: "Envoyer un message",
    topic: "Réglages du sujet",
    server: "Réglages du serveur",
    connection: "Connexion",
    refresh: "Chercher les messages manquants",
    curl: "Copier une commande curl",
    saveFile: "Enregistrer dans un fichier…",
    raw: "Flux brut",
    remove: "Retirer le sujet",
    mute: "Mettre en sourdine…",
    unmute: "Désactiver la sourdine",
    group: "Déplacer vers un groupe…",
    up: "Monter",
    down: "Descendre",
    rename: "Renommer le groupe",
    ungroup: "Supprimer le groupe",
    signIn: "Se connecter",
    palette: "Commandes…",
    saveView: "Enregistrer cette vue…",
    renameView: "Renommer la vue…",
    removeView: "Supprimer la vue",
  },
  curlSample: "Ça marche",
  curlCopied: "Commande curl copiée",
  curlHeading: "Copiez cette commande",
  updateReady: "Mise à jour prête",
  update: "Recharger",
  updateNow: "Mise à jour prête : recharger",
  problems: {
    full: "Le stockage est plein. Les nouveaux messages sont affichés, mais pas stockés.",
    fullAction: "Libérer de l’espace",
    unreadable:
      "Le stockage ne peut pas être ouvert. Earshot fonctionne en mémoire : les messages sont perdus à la fermeture de son dernier onglet.",
    failed: "Le stockage a échoué. Rechargez pour continuer ; d’ici là, rien n’est stocké.",
    "newer-version":
      "Le stockage de cet appareil a été écrit par une version plus récente d’Earshot. Rechargez pour l’obtenir ; d’ici là, rien n’est stocké.",
    memory: "Earshot fonctionne ici en mémoire : les messages sont perdus à la fermeture de son dernier onglet.",
    blocked:
      "Un autre onglet utilise encore une ancienne version d’Earshot. Fermez-le, et celui-ci démarrera de lui-même.",
  },
  badLink: {
    address: "Il ne désigne aucun serveur joignable.",
    topic:
      "Il désigne un sujet qui ne peut pas exister : un nom ne contient que des lettres, des chiffres, - et _, 64 au plus.",
    filter: "Son filtre ne peut pas être lu.",
    view: "Il désigne une vue enregistrée que cet appareil n’a pas.",
    credentials:
      "Il contient un mot de passe ou un jeton. De tels liens ne sont pas ouverts ; demandez-en un qui n’en contient pas.",
    unknown: "Cette version d’Earshot ne sait pas où il mène.",
    "too-long": "Il est trop long : Earshot ouvre des liens de 16 000 caractères au plus.",
    home: "Tout afficher",
  },
};
