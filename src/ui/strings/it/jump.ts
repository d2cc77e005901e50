import type { Translation } from "../catalogue";

/** Jumps within a feed. */
export const jump: Translation["jump"] = {
  heading: "Vai a una data",
  menu: "Vai a una data…",
  date: "Data",
  yesterday: "Ieri",
  go: "Vai",
  unread: "Messaggio non letto più vecchio",
  oldest: "Messaggio più vecchio",
  newest: "Messaggio più recente",
  toUnread: "Vai al messaggio non letto più vecchio",
  unreadFromHere: "Non letti da qui in su",
};
