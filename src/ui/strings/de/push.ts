import type { StringCatalogue } from "../catalogue";
import { duration, list } from "../format";

export const push: StringCatalogue["push"] = {
  heading: "Bei geschlossener App",
  receive: "Auch bei geschlossener App empfangen",
  hint: "Der Server übergibt Nachrichten verschlüsselt dem Push-Dienst deines Browsers; der weckt Earshot für einen Moment.",
  asking: "Meldet an …",
  key: "Öffentlicher Schlüssel",
  keyHint: "In der Konfiguration des Servers heißt er web-push-public-key; er hat 87 Zeichen.",
  notKey: "Das ist kein Schlüssel für Pushes: Ein solcher hat 87 Zeichen und beginnt mit B.",
  useKey: "Diesen Schlüssel verwenden",
  mustShow:
    "Auf diesem System zeigt jeder Push eine Benachrichtigung. Deshalb sendet der Server für stumme Themen keine Pushes; ihre Nachrichten erscheinen, sobald du Earshot öffnest.",
  refused: (topics) => `Ohne Pushes, weil du sie nicht lesen darfst: ${list(topics)}.`,
  since: "Angemeldet",
  pushed: "Letzter Push",
  checked: "Letzte Prüfung nach einem Push",
  never: "Noch nicht",
  test: "Push testen",
  testHint: (topic) => `Der Test sendet eine Nachricht an ${topic} und wartet auf ihren Push.`,
  testMessage: "Push-Test",
  testing: "Wartet auf den Push …",
  arrived: (ms) => `Der Push kam nach ${duration(Math.max(ms, 1_000))} an.`,
  lost: (ms) => `Innerhalb von ${duration(ms)} kam kein Push an, und dieses Gerät ließ sich nicht neu anmelden.`,
  renewed: (ms) =>
    `Innerhalb von ${duration(ms)} kam kein Push an; deshalb wurde dieses Gerät neu angemeldet. Teste noch einmal: Geht auch dieser Push verloren, ist der Push-Dienst langsam oder nicht erreichbar.`,
  resumes: "Hier war der Empfang an. Er geht von selbst weiter, sobald du Benachrichtigungen erlaubst.",
  support: {
    plain: "Nicht verfügbar über http: Browser nehmen Pushes nur für Seiten an, die über https geladen wurden.",
    install:
      "Verfügbar, sobald Earshot auf dem Home-Bildschirm ist: Tippe auf „Teilen“, dann auf „Zum Home-Bildschirm“.",
    unsupported: "Dieser Browser nimmt keine Pushes für Webseiten an.",
    blocked:
      "Benachrichtigungen sind für diese Website blockiert und damit auch Pushes. Erlaube sie in den Einstellungen des Browsers.",
  },
  faults: {
    denied: "Der Browser hat Benachrichtigungen nicht erlaubt; ohne sie nimmt er keine Pushes an.",
    unreachable: "Der Push-Dienst des Browsers ist nicht erreichbar. Versuch es später noch einmal.",
    untold:
      "Dieser Server hat seinen Schlüssel für Pushes nicht genannt. Falls er welche sendet, kennt ihn sein Betreiber: Gib ihn unten ein.",
    off: "Dieser Server sendet keine Pushes.",
    "no-key": "Was dieser Server als Schlüssel für Pushes nennt, ist keiner.",
    strange: "Dieser Server sagt nicht, ob er Pushes sendet.",
    "service-refused": "Dieser Server sendet nicht an den Push-Dienst deines Browsers.",
    "too-many-devices":
      "Der Server hat dieses Gerät nicht angenommen. Er nimmt höchstens zehn je Adresse an; schalte Pushes auf einem Gerät aus, das du nicht mehr nutzt.",
    forbidden: "Der Server lässt dich keines dieser Themen lesen.",
  },

  worker: {
    binary: "Binärdaten",
    unseen: "Kein sichtbarer Text",
    many: "{count} neue Nachrichten",
    heldBack: "{count} Nachrichten kamen ohne Hinweis",
    changed: "Nachrichten haben sich geändert",
  },
};
