import { backupFaultTextFrom, type BackupFaultStrings } from "../backup-fault-text";
import type { Translation } from "../catalogue";
import { errors } from "./errors";
import { count, list } from "../format";

const messages = { one: "message", other: "messages" };
const topics = { one: "sujet", other: "sujets" };
const servers = { one: "serveur", other: "serveurs" };

const faultStrings: BackupFaultStrings = {
  notABackup:
    "Ce fichier n’est pas une sauvegarde d’Earshot ni de l’application ntfy pour Android. Rien n’a été modifié.",
  newer: (version) =>
    `Une version plus récente d’Earshot a créé cette sauvegarde (format ${version}). Rechargez cette page pour obtenir la dernière version, puis réessayez.`,
  cut: "La fin de cette sauvegarde manque, comme après un téléchargement interrompu. Rien n’a été modifié.",
  badLine: (line) =>
    `La ligne ${line} ne peut pas être juste : la sauvegarde est endommagée, ou quelqu’un l’a modifiée. Rien n’a été modifié.`,
  busy: "Un autre import est en cours, peut-être dans un autre onglet. Attendez sa fin, puis réessayez.",
  ended: "L’import s’est terminé avant d’être complet. Rien n’en a été conservé.",
  changed:
    "L’un de ses sujets a été ajouté ici entre-temps. Rien de l’import n’a été conservé ; choisissez de nouveau le fichier.",
  quota: "Il n’y a pas assez d’espace. Ce qui avait été importé a été retiré.",
  nothingKept: "Rien de l’import n’a été conservé.",
};

/** Backups: export, import, and the way to another device. */
export const backup: Translation["backup"] = {
  heading: "Sauvegarde",
  hint: "Une sauvegarde est un fichier qui contient vos messages et la configuration d’Earshot. Tout éditeur de texte peut la lire, et elle s’importe sur n’importe quel appareil.",
  export: "Exporter",
  contents: "Contenu à exporter",
  scopes: { everything: "Tout", setup: "Sans les messages" },
  setupHint: "Serveurs, sujets, groupes, vues enregistrées et réglages.",
  withSignIns: "Inclure les connexions et les en-têtes supplémentaires, chiffrés par une phrase secrète",
  noSealing: "Les connexions ne peuvent être incluses qu’en https, car les navigateurs ne chiffrent que là.",
  passphrase: "Phrase secrète",
  passphraseHint: "Sans elle, les connexions de la sauvegarde sont perdues. Personne ne peut la retrouver.",
  passphraseFault: "Au moins 8 caractères.",
  save: "Enregistrer la sauvegarde",
  written: (n, of) => `${count(n)} sur ${count(of, messages)}`,
  stop: "Annuler",
  saved: (n) => `Sauvegarde enregistrée, avec ${count(n, messages)}`,
  savedSetup: "Sauvegarde enregistrée",
  writeFault: (text) => `La sauvegarde n’a pas pu être enregistrée : ${text}`,
  readFault: "La base de données n’a pas pu être lue. Aucune sauvegarde n’a été enregistrée.",

  import: "Importer",
  importHint:
    "Depuis une sauvegarde d’Earshot ou de l’application ntfy pour Android. Vous voyez ce qui changerait avant tout changement.",
  undone: "Une importation a été interrompue et rien n’en a été conservé. Importez de nouveau le fichier.",
  choose: "Choisir une sauvegarde",
  fromWebApp: "Depuis l’application web ntfy de ce navigateur",
  webAppUser: (name) => `Depuis l’application web ntfy de ce navigateur (${name})`,
  webAppGone: "Les données de l’application web n’ont pas pu être lues.",
  reading: "Lecture de la sauvegarde",
  taking: "Import en cours",
  part: (done, of) => `${done} sur ${of}`,
  percent: (done) => `${count(done)} %`,
  preview: "Ce que l’import changerait",
  madeAt: (when) => `Sauvegarde : ${when}`,
  newMessages: (n) => `Seraient ajoutés : ${count(n, messages)}.`,
  noMessages: "Elle ne contient aucun message.",
  knownMessages: (n) => `Déjà ici, inchangés : ${count(n, messages)}.`,
  deletedMessages: (n) => `Supprimés ici, et qui le restent : ${count(n, messages)}.`,
  outdated: (n) =>
    `Parmi eux, trop anciens pour être conservés et bientôt supprimés de nouveau : ${count(n, messages)}.`,
  newTopics: (n) => `Seraient ajoutés : ${count(n, topics)} :`,
  andMore: (n) => `et ${count(n)} de plus`,
  knownTopics: (n) => `Déjà ici : ${count(n, topics)} ; noms, couleurs et réglages restent.`,
  newServers: (names) => `Earshot se connecterait à ${list(names)}.`,
  newViews: (names) => `Vues enregistrées : ${list(names)}.`,
  takeSettings: (n) => `Reprendre ${count(n, { one: "réglage qui diffère", other: "réglages qui diffèrent" })}`,
  settingNames: {
    keepDays: "jours de conservation des messages",
    keepMessages: "nombre de messages conservés",
    theme: "thème",
    density: "densité",
    language: "langue",
    markRead: "quand un message compte comme lu",
    historyRead: "anciens messages des nouveaux sujets",
    alerts: "notifications",
    swipeLeft: "balayage vers la gauche",
    swipeRight: "balayage vers la droite",
    singleKeys: "raccourcis à une touche",
    groups: "groupes",
    columns: "colonnes",
    keepFiles: "pièces jointes à conserver",
  },
  unreadable: (n) =>
    count(n, {
      one: "ligne ne peut pas être lue et serait laissée de côté.",
      other: "lignes ne peuvent pas être lues et seraient laissées de côté.",
    }),
  leftOut: (n) =>
    count(n, {
      one: "élément ne peut pas être lu et serait laissé de côté.",
      other: "éléments ne peuvent pas être lus et seraient laissés de côté.",
    }),
  sealed:
    "Ses connexions sont chiffrées. Sans la phrase secrète, elles sont laissées de côté et vous vous reconnectez.",
  sealedInsecure:
    "Ses connexions sont chiffrées, et les navigateurs ne déchiffrent qu’en https : vous devriez vous reconnecter.",
  plainSignIns: (n) => `Reprendre les connexions de ${count(n, servers)}`,
  wrongPassphrase: "Ce n’est pas la phrase secrète de cette sauvegarde.",
  nothingNew: "Tout ce que contient cette sauvegarde est déjà ici.",
  take: "Importer",
  close: "Fermer",
  taken: (n) => (n === 0 ? "Importé" : `Importé, avec ${count(n, messages)}`),
  view: {
    heading: (title) => `Enregistrer « ${title} » dans un fichier`,
    format: "Format",
    formats: { csv: "CSV", jsonl: "Lignes JSON" },
    hints: {
      csv: "Pour les tableurs. Contient les messages que montre cette vue, avec son filtre.",
      jsonl:
        "Complet, comme une sauvegarde : peut être réimporté. Contient les messages que montre cette vue, avec son filtre.",
    },
    writing: "Enregistrement",
    written: (n) => count(n, messages),
    saved: (n) => count(n, { one: "message enregistré", other: "messages enregistrés" }),
    save: "Enregistrer",
  },
  device: {
    heading: "Vers un autre appareil",
    hint: "Un lien ou un code QR emporte vos serveurs, sujets, groupes, vues enregistrées et réglages, mais ni messages ni connexions.",
    show: "Afficher le lien et le code QR",
    title: "Vers un autre appareil",
    tooLong:
      "C’est trop pour un lien. Exportez plutôt une sauvegarde sans messages, et importez-la sur l’autre appareil.",
    bringHeading: "Configurer depuis un autre appareil",
    bringHint:
      "Ce lien contient des serveurs, des sujets, des vues et des réglages. Vous voyez ce qui changerait avant tout changement.",
    damaged: "Ce lien est endommagé, ou quelqu’un l’a modifié. Rien n’a été modifié.",
  },
  storage: {
    heading: "Par sujet",
    topic: "Sujet",
    messages: "Messages",
    size: "Taille",
    about: (size) => `environ ${size}`,
    sizeHint:
      "Les tailles sont estimées d’après les messages les plus récents ; le navigateur en demande à peu près le double, pour la recherche.",
    outdated: (n) => `La conservation supprimerait maintenant environ ${count(n, messages)}. Ceux avec étoile restent.`,
    delete: "Supprimer",
    deleteOf: (topic) => `Supprimer les messages de ${topic}`,
    deleteAll: "Supprimer tous les messages",
    askOne: (topic) => `Supprimer les messages de ${topic} ?`,
    askAll: "Supprimer tous les messages ?",
    ask: (n) =>
      `Seraient supprimés : ${count(n, messages)}, y compris ceux avec étoile, terminés ou reportés. Les sujets restent. Vous pouvez annuler pendant un moment.`,
    deleted: (n) => count(n, { one: "message supprimé", other: "messages supprimés" }),
  },
  fault: backupFaultTextFrom(faultStrings, errors.command),
};
