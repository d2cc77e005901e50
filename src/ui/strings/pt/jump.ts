import type { Translation } from "../catalogue";

/** Jumps within a feed. */
export const jump: Translation["jump"] = {
  heading: "Ir para uma data",
  menu: "Ir para uma data…",
  date: "Data",
  yesterday: "Ontem",
  go: "Ir",
  unread: "Mensagem não lida mais antiga",
  oldest: "Mensagem mais antiga",
  newest: "Mensagem mais recente",
  toUnread: "Ir para a mensagem não lida mais antiga",
  unreadFromHere: "Não lidas daqui para cima",
};
