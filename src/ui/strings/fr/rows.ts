import type { Translation } from "../catalogue";
import { count, duration, momentWithTime, timeOfDay } from "../format";
import { until } from "./formats";

/** "Message supprimé", "5 messages supprimés". */
const some = (n: number, one: string, other: string) =>
  n === 1 ? `Message ${one}` : `${count(n, { one: "message", other: "messages" })} ${other}`;

/** Text around messages, actions on them, and the filter. Times and durations in ms. */
export const rows: Translation["rows"] = {
  newRows: (n) => count(n, { one: "nouveau", other: "nouveaux" }),
  newRowsSome: "Nouveaux messages",
  showNew: "Afficher les nouveaux messages",
  failed: "Les messages ne peuvent pas être lus",
  gap: (offline, kept) =>
    kept === undefined
      ? "Des messages manquent peut-être entre"
      : `Hors ligne pendant ${duration(offline)} ; le serveur conserve les messages ${duration(kept)}. Des messages manquent peut-être entre`,
  gapForgot: "Le serveur a perdu des messages qu’il conservait. Des messages manquent peut-être entre",
  gapCut: "Plus que le serveur n’envoie en une fois. Des messages manquent peut-être entre",
  gapAnd: "et",
  gapAsk: "Redemander au serveur",
  gapEnd: (topics) => (topics === undefined ? "." : ` dans ${topics}.`),
  gapTime: (at, now) => momentWithTime(at, now, "within"),
  repeats: (n, lastMs, firstMs) => {
    const [last, first] = [timeOfDay(lastMs), timeOfDay(firstMs)];
    return `×${count(n)}, dernier ${last}${first === last ? "" : `, premier ${first}`}`;
  },
  repeatsOpen: "tout afficher",
  filter: {
    label: "Rechercher et filtrer",
    placeholder: (n) =>
      `Rechercher${n ? ` dans ${count(n, { one: "message", other: "messages" })}` : ""}, ou filtrer : priority:high tag:backup -nightly`,
    placeholderShort: (where) => `Rechercher dans ${where}`,
    search: "Rechercher",
    clear: "Effacer la recherche et le filtre",
    looked: (n, total) => `${count(n)} sur ${count(total)}`,
    slash: "Appuyez sur / pour rechercher",
  },
  triage: {
    done: (n) => some(n, "terminé", "terminés"),
    notDone: (n) => some(n, "remis dans le fil", "remis dans le fil"),
    snoozed: (n, at, now) => `${some(n, "reporté", "reportés")} ${until(momentWithTime(at, now, "within"))}`,
    woken: (n) => some(n, "remis dans le fil", "remis dans le fil"),
    deleted: (n) => some(n, "supprimé", "supprimés"),
    cancelled: (n) => (n === 1 ? "Envoi annulé" : `${count(n)} envois annulés`),
    hiddenHere: "Ce serveur ne sait pas annuler ; masqué ici seulement.",
    sent: "Message envoyé",
    sentTwice: "Envoyé. Ce serveur ne sait pas annuler et le livrera encore à son heure.",
  },

  message: {
    tools: "Actions sur le message",
    more: "Plus",
    markRead: "Marquer comme lu",
    markUnread: "Marquer comme non lu",
    star: "Ajouter une étoile",
    unstar: "Retirer l’étoile",
    done: "Terminé",
    notDone: "Non terminé",
    snooze: "Reporter…",
    delete: "Supprimer",
    copyText: "Copier le texte",
    copyLink: "Copier le lien",
    raw: "JSON brut",
    curl: "Copier en curl",
    open: "Ouvrir",
    textCopied: "Texte copié",
    linkCopied: "Lien copié",
    jsonCopied: "JSON copié",
    valueCopied: "Copié",
    copyByHand: "Copiez ceci",
    always: (topic) => `Toujours charger les images de ${topic}`,
    notAlways: (topic) => `Demander avant de charger les images de ${topic}`,
    filterTag: (tag) => `Filtrer par l’étiquette ${tag}`,
    moreTags: (n) => `${count(n)} de plus`,
    openLink: (host) => (host ? `Ouvrir ${host}` : "Ouvrir le lien"),
    cannotOpen: (address) => `Les liens de ce type ne peuvent pas être ouverts ici : ${address}`,
    cancelDelivery: "Annuler l’envoi",
    sendNow: "Envoyer maintenant",
    updated: "Modifié",
    updatedLabel: "Modifié : afficher les versions antérieures",
    updatedTip: "Afficher les versions antérieures",
    back: "Retour aux messages",
    loadIcon: (host) => `Charger l’icône depuis ${host}`,
    loadPicture: (host, alt) => (alt ? `Charger l’image « ${alt} » depuis ${host}` : `Charger l’image depuis ${host}`),
  },
  action: {
    done: (label, status) => `${label} : effectué (${String(status)})`,
    refused: (label, status) => `${label} : l’adresse a répondu par une erreur (${String(status)})`,
    redirected: (label) => `${label} : l’adresse redirige vers une autre, qui n’a pas été contactée`,
    unanswered: (label) => `${label} : aucune réponse de l’adresse`,
    failed: (label, why) => `${label} : ${why}`,
    broadcast: "Seule l’application Android du serveur peut faire cela",
    notStored: "Seuls les messages de sujets auxquels vous êtes abonné peuvent envoyer des requêtes",
    noTarget: "Les liens de ce type ne peuvent pas être ouverts ici",
  },
};
