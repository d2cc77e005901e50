import type { Translation } from "../catalogue";
import { duration, list } from "../format";

export const push: Translation["push"] = {
  heading: "Ad app chiusa",
  receive: "Ricevi ad app chiusa",
  hint: "Il server consegna i messaggi, cifrati, al servizio push del browser, che sveglia Earshot per un istante.",
  asking: "Registrazione…",
  key: "Chiave pubblica",
  keyHint: "Nella configurazione del server si chiama web-push-public-key e ha 87 caratteri.",
  notKey: "Questa non è una chiave per i push: una chiave ha 87 caratteri e inizia con B.",
  useKey: "Usa questa chiave",
  mustShow:
    "Su questo sistema ogni push mostra una notifica, perciò il server non invia push per gli argomenti silenziati; i loro messaggi appaiono quando apri Earshot.",
  refused: (topics) => `Senza push, perché non puoi leggerli: ${list(topics)}.`,
  since: "Registrato",
  pushed: "Ultimo push",
  checked: "Ultimo controllo dopo un push",
  never: "Non ancora",
  test: "Prova i push",
  testHint: (topic) => `La prova invia un messaggio a ${topic} e attende il suo push.`,
  testMessage: "Prova dei push",
  testing: "In attesa del push…",
  arrived: (ms) => `Il push è arrivato dopo ${duration(Math.max(ms, 1_000))}.`,
  lost: (ms) =>
    `Nessun push è arrivato entro ${duration(ms)}, e non è stato possibile registrare di nuovo questo dispositivo.`,
  renewed: (ms) =>
    `Nessun push è arrivato entro ${duration(ms)}, perciò questo dispositivo è stato registrato di nuovo. Ripeti la prova: se si perde anche quel push, il servizio push è lento o non raggiungibile.`,
  resumes: "Qui la ricezione era attiva. Riprende da sola appena consenti le notifiche.",
  support: {
    plain: "Non disponibile tramite semplice http: i browser accettano push solo per pagine caricate tramite https.",
    install: "Disponibile quando Earshot è nella schermata Home: tocca Condividi, poi Aggiungi alla schermata Home.",
    unsupported: "Questo browser non accetta push per le pagine web.",
    blocked:
      "Le notifiche sono bloccate per questo sito, e con esse i push. Consentile nelle impostazioni del browser.",
  },
  faults: {
    denied: "Il browser non ha consentito le notifiche e senza di esse non accetta push.",
    unreachable: "Il servizio push del browser non è raggiungibile. Riprova più tardi.",
    untold:
      "Questo server non ha comunicato la sua chiave per i push. Se ne invia, chi lo gestisce la conosce: inseriscila qui sotto.",
    off: "Questo server non invia push.",
    "no-key": "Quella che questo server indica come chiave per i push non è una chiave.",
    strange: "Questo server non dice se invia push.",
    "service-refused": "Questo server non invia al servizio push del tuo browser.",
    "too-many-devices":
      "Il server non ha accettato questo dispositivo. Ne accetta dieci a un indirizzo; disattiva i push su uno che non usi più.",
    forbidden: "Il server non ti permette di leggere nessuno di questi argomenti.",
  },

  worker: {
    binary: "Dati binari",
    unseen: "Nessun testo visibile",
    many: "{count} nuovi messaggi",
    heldBack: "Messaggi arrivati senza avviso: {count}",
    changed: "Alcuni messaggi sono cambiati",
  },
};
