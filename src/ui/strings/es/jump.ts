import type { Translation } from "../catalogue";

/** Jumps within a feed. */
export const jump: Translation["jump"] = {
  heading: "Ir a una fecha",
  menu: "Ir a una fecha…",
  date: "Fecha",
  yesterday: "Ayer",
  go: "Ir",
  unread: "Mensaje no leído más antiguo",
  oldest: "Mensaje más antiguo",
  newest: "Mensaje más reciente",
  toUnread: "Ir al mensaje no leído más antiguo",
  unreadFromHere: "Sin leer de aquí hacia arriba",
};
