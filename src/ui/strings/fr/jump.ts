import type { Translation } from "../catalogue";

/** Jumps within a feed. */
export const jump: Translation["jump"] = {
  heading: "Aller à une date",
  menu: "Aller à une date…",
  date: "Date",
  yesterday: "Hier",
  go: "Aller",
  unread: "Plus ancien message non lu",
  oldest: "Message le plus ancien",
  newest: "Message le plus récent",
  toUnread: "Aller au plus ancien message non lu",
  unreadFromHere: "Non lus à partir d’ici, vers le haut",
};
