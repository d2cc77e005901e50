import type { Translation } from "../catalogue";
import { count, duration } from "../format";
import { until } from "./formats";

/** Moving a server, and trying what is wrong with one. */
export const servers: Translation["servers"] = {
  address: "Indirizzo",
  settings: "Impostazioni del server",
  signIn: {
    hint: "La password viene scambiata con un token dove il server ne dà uno, e allora non viene salvata. Inviata solo a questo server, in un link solo se lo scegli.",
    out: "Esci",
    outHint: "Uscendo, il token che Earshot ha avuto dal server scade, anche per chi l’ha ricevuto da te.",
    byPassword: "La password è salvata su questo dispositivo.",
    byToken: "Un token è salvato al posto della password.",
    until: (said) => `Un token è salvato al posto della password, valido ${until(said)}.`,
    done: (server) => `Uscito da ${server}`,
    left: (server) =>
      `Uscito da ${server}. Non è stato possibile avvisarlo, perciò il token resta valido lì fino alla scadenza.`,
    ends: (server, said) => `L’accesso a ${server} scade: ${said}.`,
    ended: (server) => `L’accesso a ${server} è scaduto.`,
  },
  headers: {
    label: "Intestazioni aggiuntive",
    hint: "Per un proxy davanti al server che le richiede, una per riga, ad esempio X-Key: abc. Vanno solo a questo server; i messaggi arrivano allora come righe JSON tramite HTTP.",
    transport:
      "I messaggi arrivano come righe JSON, perché un browser invia intestazioni aggiuntive solo con semplici richieste.",
    fault: (line) =>
      line === 0 ? "Le intestazioni sono troppe." : `La riga ${line} non è un’intestazione che una pagina può inviare.`,
  },
  account: {
    button: "Argomenti dell’account…",
    heading: (server) => `Argomenti dell’account su ${server}`,
    asking: "Interrogazione del server…",
    none: "Tutti gli argomenti dell’account sono già qui.",
    offered: "Senza iscrizione qui",
    reserved: "riservato a te",
    keep: "Sincronizza con l’account",
    keepHint:
      "Ciò che si aggiunge da una parte si aggiunge dall’altra, e ciò che si rimuove qui si rimuove dall’account. Ciò che viene rimosso dall’account altrove resta qui con i suoi messaggi finché non lo lasci.",
    leftThere: (topics) => `Rimossi dall’account altrove: ${topics}.`,
    leave: "Lasciali anche qui",
    left: (n) => `${count(n, { one: "argomento rimosso", other: "argomenti rimossi" })}`,
  },
  move: {
    button: "Trasferisci…",
    heading: (server) => `Trasferisci ${server}`,
    hint: "Per un server che ora è a un altro indirizzo. Argomenti, messaggi e segni restano come sono; i link con il vecchio indirizzo portano a quello nuovo.",
    field: "Nuovo indirizzo",
    keep: (who) => `Accedi anche lì (${who})`,
    keepHint: "La password o il token viene inviato al nuovo indirizzo. Altrimenti accedi lì di nuovo.",
    plain:
      "Il nuovo indirizzo è semplice http, perciò la password verrebbe inviata in chiaro. Premi di nuovo Trasferisci per inviarla.",
    taken:
      "Questo indirizzo è già di uno dei tuoi server. Abbandona prima i suoi argomenti, se questo server prende il suo posto.",
    same: "Questo è il suo indirizzo attuale.",
    anyway: "Trasferisci comunque",
    save: "Trasferisci",
    done: (address) => `Trasferito a ${address}`,
    lacksPushes: "Trasferito. Non è stato possibile attivare i push al nuovo indirizzo.",
  },
  test: {
    button: "Prova",
    heading: (server) => `Prova di ${server}`,
    asking: "Richiesta all’indirizzo…",
    trying: "Prova di accesso, flusso e orologio…",
    repeat: "Prova di nuovo",
    tab: "Apri in una scheda",
    tabHint: "In una scheda il browser mostra il proprio messaggio di errore, che una pagina non può vedere.",
    grades: { good: "A posto", doubtful: "Da verificare", bad: "Problema" },
    reached: "A questo indirizzo risponde un server di argomenti.",
    mixed:
      "Questa pagina è arrivata tramite https, perciò il browser non le permette di raggiungere indirizzi http, o solo alcuni nella rete locale.",
    mixedHint: "Dai https al server, oppure apri Earshot stesso tramite http.",
    "local-by-http":
      "Questa pagina è arrivata tramite http da fuori della rete locale, perciò il browser non le permette di raggiungervi nulla.",
    "local-by-httpHint": "Apri Earshot tramite https, o da un server nella rete locale.",
    "local-denied": "Al browser è stato detto di non far accedere questa pagina alla rete locale.",
    "local-deniedHint": "Consentilo nelle impostazioni del browser per questo sito, sotto accesso alla rete locale.",
    "local-not-asked": "Il browser può ancora chiedere se questa pagina può accedere alla rete locale.",
    "local-not-askedHint": "Prova di nuovo e consentilo quando il browser lo chiede.",
    offline: "Questo dispositivo non ha rete.",
    offlineHint: "I messaggi arrivano quando torna.",
    "no-answer": "Nessuna risposta, e il browser non dice altro a una pagina.",
    "no-answerHint":
      "Il server potrebbe essere fermo, il nome o la porta sbagliati, il certificato non attendibile, o un’estensione bloccarlo. Nella rete locale al browser può anche mancare il permesso del sistema.",
    slow: "Nessuna risposta entro 15 secondi, e nemmeno un errore.",
    slowHint: "Un firewall potrebbe scartare le richieste, la porta essere sbagliata o il server sovraccarico.",
    unreadable: "Qualcosa risponde, ma non permette a questa pagina di leggere la risposta.",
    unreadableHint:
      "I server di argomenti lo permettono a ogni pagina. Quindi un proxy davanti toglie l’intestazione CORS o chiede un accesso proprio.",
    "something-else": "Qualcosa risponde, ma non è un server di argomenti.",
    "something-elseHint":
      "Il percorso potrebbe essere sbagliato, un proxy chiedere un accesso proprio, o questa rete richiedere prima un accesso.",
    worker: (said) => `Questa pagina raggiunge il server, ma la parte che riceve i messaggi no: ${said}`,
    workerHint: "Ricarica la pagina. Se non aiuta, forse il server limita le richieste da qui.",
    open: "Gli argomenti si possono leggere senza accesso.",
    signedIn: (who) => `Accesso effettuato come ${who}: gli argomenti si possono leggere.`,
    notSignedIn: "Senza accesso",
    refused: (who, said) => `${who}: ${said}`,
    stream: "Si apre un flusso: i messaggi arrivano subito.",
    noStream: "Nessun flusso si apre entro 5 secondi, perciò i messaggi vengono recuperati ogni pochi secondi.",
    noStreamHint: "Probabilmente un proxy davanti al server trattiene le risposte finché non finiscono.",
    keeps: (ms) => `Il server conserva i messaggi per ${duration(ms)}.`,
    keepsNothing: "Il server non conserva messaggi: ciò che viene inviato mentre sei via va perso.",
    keepsNothingHint: "Chi gestisce il server può attivarne la cache.",
    keepsUnknown: "Il server non dice per quanto tempo conserva i messaggi.",
    clock: "Gli orologi del server e del dispositivo concordano.",
    ahead: (ms) => `L’orologio del server è avanti di ${duration(ms)} rispetto a questo dispositivo.`,
    behind: (ms) => `L’orologio del server è indietro di ${duration(ms)} rispetto a questo dispositivo.`,
    clockHint: "Non si perde nulla, ma gli orari sembrano sbagliati. Regola quello sbagliato.",
  },
};
