import type { Translation } from "../catalogue";
import { count, duration, list } from "../format";
import { since } from "./formats";

const NEW = { one: "nuovo", other: "nuovi" };

/** Notifications, and the settings that are about them. */
export const alerts: Translation["alerts"] = {
  heading: "Notifiche",
  states: {
    on: "Attivate. Ricevi notifiche finché Earshot è aperto.",
    off: "Disattivate",
    ask: "Disattivate. Il browser chiederà il permesso.",
    blocked:
      "Bloccate per questo sito. Per consentirle, premi l’icona accanto all’indirizzo e poi Notifiche; sul telefono, apri le impostazioni del browser per questo sito.",
    plain: "Non disponibili tramite semplice http: i browser mostrano notifiche solo di pagine caricate tramite https.",
    install: "Disponibili quando Earshot è nella schermata Home: tocca Condividi, poi Aggiungi alla schermata Home.",
    unsupported: "Questo browser non supporta le notifiche delle pagine web.",
    failed: "Non disponibili ora: il browser non esegue alcun service worker per questa pagina.",
  },
  turnOn: "Attiva",
  turnOff: "Disattiva",
  test: "Invia una prova",
  testSent:
    "Prova inviata. Se non appare nulla, è il sistema a trattenerla: controlla le sue impostazioni di notifica e la modalità Non disturbare.",
  testFailed: "Il browser non ha mostrato alcuna notifica.",
  testTitle: "Le notifiche funzionano",
  testBody: "Ecco come appaiono.",
  topicHint: "Nelle impostazioni di un argomento puoi silenziarlo o fissarne la priorità minima.",

  buttons: { done: "Fatto", snooze: "Posticipa di 1 ora" },
  title: (title, topic) => `${title} · ${topic}`,
  inOne: (n, topic) => `${count(n, NEW)} in ${topic}`,
  inSeveral: (n, topics) => `${count(n, NEW)} in ${count(topics, { one: "argomento", other: "argomenti" })}`,
  withUrgent: (said, n) => `${said}, ${count(n, { one: "urgente", other: "urgenti" })}`,
  arrived: (n, isPart, where) =>
    `${
      isPart ? `${count(n)} o più nuovi messaggi` : count(n, { one: "nuovo messaggio", other: "nuovi messaggi" })
    } in ${typeof where === "number" ? count(where, { one: "argomento", other: "argomenti" }) : list(where)}`,
  topicLine: (topic, n) => `${topic}: ${count(n, { one: "messaggio", other: "messaggi" })}`,
  more: (n) => `e ${count(n, { one: "altro argomento", other: "altri argomenti" })}`,

  stopped: (server) => `Non arriva nulla da ${server}`,
  refused: (topics) => `Non arriva nulla da ${list(topics)}`,
  away: (server) => `${server} non è raggiungibile`,
  awaySince: (said) =>
    `Non raggiungibile ${since(said)}. Ciò che viene inviato nel frattempo arriva quando torna, se il server lo conserva.`,
  back: (server) => `${server} è tornato`,
  wasAway: (ms) => `Non è stato raggiungibile per ${duration(ms)}.`,
};
