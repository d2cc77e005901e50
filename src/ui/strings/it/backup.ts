import { backupFaultTextFrom, type BackupFaultStrings } from "../backup-fault-text";
import type { Translation } from "../catalogue";
import { errors } from "./errors";
import { count, list } from "../format";

const messages = { one: "messaggio", other: "messaggi" };
const topics = { one: "argomento", other: "argomenti" };

const faultStrings: BackupFaultStrings = {
  notABackup: "Questo file non è un backup di Earshot né dell’app ntfy per Android. Nulla è stato cambiato.",
  newer: (version) =>
    `Una versione più recente di Earshot ha creato questo backup (formato ${version}). Ricarica questa pagina per ottenere l’ultima versione, poi riprova.`,
  cut: "Manca la fine di questo backup, come dopo un download interrotto. Nulla è stato cambiato.",
  badLine: (line) =>
    `La riga ${line} non può essere giusta: il backup è danneggiato o qualcuno l’ha modificato. Nulla è stato cambiato.`,
  busy: "È in corso un’altra importazione, forse in un’altra scheda. Aspetta che finisca, poi riprova.",
  ended: "L’importazione è terminata prima di essere completa. Non ne è stato conservato nulla.",
  changed:
    "Nel frattempo uno dei suoi argomenti è stato aggiunto qui. Dell’importazione non è stato conservato nulla; scegli di nuovo il file.",
  quota: "Non c’è spazio a sufficienza. Ciò che era stato importato è stato tolto.",
  nothingKept: "Dell’importazione non è stato conservato nulla.",
};

/** Backups: export, import, and the way to another device. */
export const backup: Translation["backup"] = {
  heading: "Backup",
  hint: "Un backup è un file con i tuoi messaggi e la configurazione di Earshot. Qualsiasi editor di testo può leggerlo, e si può importare su qualsiasi dispositivo.",
  export: "Esporta",
  contents: "Che cosa esportare",
  scopes: { everything: "Tutto", setup: "Senza messaggi" },
  setupHint: "Server, argomenti, gruppi, viste salvate e impostazioni.",
  withSignIns: "Includi gli accessi e le intestazioni aggiuntive, cifrati con una passphrase",
  noSealing: "Gli accessi si possono includere solo tramite https, perché i browser cifrano solo lì.",
  passphrase: "Passphrase",
  passphraseHint: "Senza di essa gli accessi nel backup vanno persi. Nessuno può recuperarla.",
  passphraseFault: "Almeno 8 caratteri.",
  save: "Salva backup",
  written: (n, of) => `${count(n)} di ${count(of, messages)}`,
  stop: "Annulla",
  saved: (n) => `Backup salvato, con ${count(n, messages)}`,
  savedSetup: "Backup salvato",
  writeFault: (text) => `Non è stato possibile salvare il backup: ${text}`,
  readFault: "Non è stato possibile leggere il database. Nessun backup è stato salvato.",

  import: "Importa",
  importHint:
    "Da un backup di Earshot o dell’app ntfy per Android. Vedi che cosa cambierebbe prima che cambi qualcosa.",
  undone: "Un’importazione è stata interrotta e non ne è rimasto nulla. Importa di nuovo il file.",
  choose: "Scegli un backup",
  fromWebApp: "Dall’app web ntfy in questo browser",
  webAppUser: (name) => `Dall’app web ntfy in questo browser (${name})`,
  webAppGone: "Non è stato possibile leggere i dati dell’app web.",
  reading: "Lettura del backup",
  taking: "Importazione",
  part: (done, of) => `${done} di ${of}`,
  percent: (done) => `${count(done)}%`,
  preview: "Che cosa cambierebbe l’importazione",
  madeAt: (when) => `Backup di ${when}`,
  newMessages: (n) => `Verrebbero aggiunti: ${count(n, messages)}.`,
  noMessages: "Non contiene messaggi.",
  knownMessages: (n) => `Già qui, restano come sono: ${count(n, messages)}.`,
  deletedMessages: (n) => `Eliminati qui, restano eliminati: ${count(n, messages)}.`,
  outdated: (n) => `Di questi, più vecchi di quanto si conservi e presto rimossi di nuovo: ${count(n, messages)}.`,
  newTopics: (n) => `Verrebbero aggiunti: ${count(n, topics)}:`,
  andMore: (n) => `e altri ${count(n)}`,
  knownTopics: (n) => `Già qui: ${count(n, topics)}; nomi, colori e impostazioni restano.`,
  newServers: (names) => `Earshot si connetterebbe a ${list(names)}.`,
  newViews: (names) => `Viste salvate: ${list(names)}.`,
  takeSettings: (n) => `Adotta ${count(n, { one: "impostazione diversa", other: "impostazioni diverse" })}`,
  settingNames: {
    keepDays: "giorni di conservazione dei messaggi",
    keepMessages: "numero di messaggi conservati",
    theme: "tema",
    density: "densità",
    language: "lingua",
    markRead: "quando un messaggio conta come letto",
    historyRead: "vecchi messaggi dei nuovi argomenti",
    alerts: "notifiche",
    swipeLeft: "scorrimento verso sinistra",
    swipeRight: "scorrimento verso destra",
    singleKeys: "scorciatoie a un solo tasto",
    groups: "gruppi",
    columns: "colonne",
    keepFiles: "allegati da conservare",
  },
  unreadable: (n) =>
    count(n, {
      one: "riga non può essere letta e verrebbe tralasciata.",
      other: "righe non possono essere lette e verrebbero tralasciate.",
    }),
  leftOut: (n) =>
    count(n, {
      one: "voce non può essere letta e verrebbe tralasciata.",
      other: "voci non possono essere lette e verrebbero tralasciate.",
    }),
  sealed: "I suoi accessi sono cifrati. Senza la passphrase vengono tralasciati e accedi di nuovo.",
  sealedInsecure: "I suoi accessi sono cifrati e i browser decifrano solo tramite https: dovresti accedere di nuovo.",
  plainSignIns: (n) => `Adotta gli accessi di ${count(n)} server`,
  wrongPassphrase: "Questa non è la passphrase di questo backup.",
  nothingNew: "Tutto ciò che è in questo backup è già qui.",
  take: "Importa",
  close: "Chiudi",
  taken: (n) => (n === 0 ? "Importato" : `Importato, con ${count(n, messages)}`),
  view: {
    heading: (title) => `Salva «${title}» come file`,
    format: "Formato",
    formats: { csv: "CSV", jsonl: "Righe JSON" },
    hints: {
      csv: "Per fogli di calcolo. Contiene i messaggi che questa vista mostra, con il suo filtro.",
      jsonl:
        "Completo, come un backup: si può importare di nuovo. Contiene i messaggi che questa vista mostra, con il suo filtro.",
    },
    writing: "Salvataggio",
    written: (n) => count(n, messages),
    saved: (n) => count(n, { one: "messaggio salvato", other: "messaggi salvati" }),
    save: "Salva",
  },
  device: {
    heading: "Su un altro dispositivo",
    hint: "Un link o un codice QR porta con sé server, argomenti, gruppi, viste salvate e impostazioni, ma né messaggi né accessi.",
    show: "Mostra link e codice QR",
    title: "Su un altro dispositivo",
    tooLong: "È troppo per un link. Esporta invece un backup senza messaggi e importalo sull’altro dispositivo.",
    bringHeading: "Configura da un altro dispositivo",
    bringHint:
      "Questo link contiene server, argomenti, viste e impostazioni. Vedi che cosa cambierebbe prima che cambi qualcosa.",
    damaged: "Questo link è danneggiato o qualcuno l’ha modificato. Nulla è stato cambiato.",
  },
  storage: {
    heading: "Per argomento",
    topic: "Argomento",
    messages: "Messaggi",
    size: "Dimensione",
    about: (size) => `circa ${size}`,
    sizeHint: "Le dimensioni sono stimate dai messaggi più recenti; al browser serve circa il doppio, per la ricerca.",
    outdated: (n) => `La conservazione ora rimuoverebbe circa ${count(n, messages)}. Quelli con stella restano.`,
    delete: "Elimina",
    deleteOf: (topic) => `Elimina i messaggi di ${topic}`,
    deleteAll: "Elimina tutti i messaggi",
    askOne: (topic) => `Eliminare i messaggi di ${topic}?`,
    askAll: "Eliminare tutti i messaggi?",
    ask: (n) =>
      `Verrebbero eliminati: ${count(n, messages)}, anche quelli con stella, fatti e posticipati. Gli argomenti restano. Puoi annullare per un momento.`,
    deleted: (n) => count(n, { one: "messaggio eliminato", other: "messaggi eliminati" }),
  },
  fault: backupFaultTextFrom(faultStrings, errors.command),
};
