import type { Translation } from "../catalogue";
import { bytes, count, duration, moment, momentWithTime } from "../format";
import { theMoment } from "./formats";

/** The feed and its messages, as they are first shown. Times in ms. */
export const feed: Translation["appStrings"]["feed"] = {
  label: "Mensajes",
  loading: "Cargando…",
  searching: (backTo, now) => `Buscando; ya hasta ${theMoment(moment(backTo, now, "within"))}`,
  end: "No hay nada más antiguo guardado",
  message: {
    unread: "Sin leer",
    starred: "Con estrella",
    due: (left, at, now) => `en ${duration(left)} · ${momentWithTime(at, now, "within")}`,
    select: (title) => `Seleccionar ${title}`,
    showAll: "Mostrar todo",
    showLess: "Mostrar menos",
    binary: (sizeBytes) => `${bytes(sizeBytes)} de datos binarios`,
    unseen: (n) => `${count(n, { one: "carácter", other: "caracteres" })}, ninguno visible`,
  },
};
