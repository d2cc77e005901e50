import type { StringCatalogue } from "../catalogue";
import { count, duration, list } from "../format";

const messages = (n: number) => count(n, { one: "Nachricht", other: "Nachrichten" });
const news = { one: "neue", other: "neue" };

/** Notifications, and the settings that are about them. */
export const alerts: StringCatalogue["alerts"] = {
  heading: "Benachrichtigungen",
  states: {
    on: "An. Du wirst benachrichtigt, solange Earshot offen ist.",
    off: "Aus",
    ask: "Aus. Der Browser wird um Erlaubnis fragen.",
    blocked:
      "Für diese Adresse gesperrt. Zum Erlauben auf das Symbol neben der Adresse drücken, dann auf Benachrichtigungen; auf dem Telefon in den Einstellungen des Browsers für diese Seite.",
    plain:
      "Über einfaches http nicht möglich: Browser zeigen Benachrichtigungen nur von Seiten, die über https geladen wurden.",
    install: "Möglich, sobald Earshot auf dem Home-Bildschirm ist: Tippe auf „Teilen“, dann auf „Zum Home-Bildschirm“.",
    unsupported: "Dieser Browser zeigt keine Benachrichtigungen von Webseiten.",
    failed: "Jetzt nicht möglich: Der Browser hat für diese Seite keinen Service Worker.",
  },
  turnOn: "Einschalten",
  turnOff: "Ausschalten",
  test: "Test senden",
  testSent:
    "Test gesendet. Erscheint nichts, hält das System ihn zurück: Prüfe dessen Einstellungen und „Nicht stören“.",
  testFailed: "Der Browser hat keine Benachrichtigung gezeigt.",
  testTitle: "Benachrichtigungen funktionieren",
  testBody: "So sehen sie aus.",
  topicHint: "In den Einstellungen eines Themas lässt es sich stummschalten oder eine Mindestpriorität wählen.",

  buttons: { done: "Erledigt", snooze: "1 Stunde zurückstellen" },
  title: (title, topic) => `${title} · ${topic}`,
  inOne: (n, topic) => `${count(n, news)} in ${topic}`,
  inSeveral: (n, topics) => `${count(n, news)} in ${count(topics, { one: "Thema", other: "Themen" })}`,
  withUrgent: (said, n) => `${said}, ${count(n)} dringend`,
  arrived: (n, isPart, where) =>
    `${count(n)}${isPart ? " oder mehr" : ""} neue ${n === 1 && !isPart ? "Nachricht" : "Nachrichten"} in ${
      typeof where === "number" ? count(where, { one: "Thema", other: "Themen" }) : list(where)
    }`,
  topicLine: (topic, n) => `${topic}: ${messages(n)}`,
  more: (n) => `und ${count(n, { one: "weiteres Thema", other: "weitere Themen" })}`,

  stopped: (server) => `Von ${server} kommt nichts an`,
  refused: (topics) => `Von ${list(topics)} kommt nichts an`,
  away: (server) => `${server} ist nicht zu erreichen`,
  awaySince: (said) => `Seit ${said}. Was inzwischen gesendet wird, kommt danach, wenn der Server es aufbewahrt.`,
  back: (server) => `${server} ist wieder da`,
  wasAway: (ms) => `Er war ${duration(ms)} lang nicht zu erreichen.`,
};
