import type { Translation } from "../catalogue";
import { count, timeOfDay } from "../format";

const lines = { one: "línea", other: "líneas" };

/** The live tail of a topic as plain text. */
export const raw: Translation["raw"] = {
  heading: (topic) => `En bruto: ${topic}`,
  what: "Texto en directo tal como se envía, una línea por mensaje; no se guarda nada.",
  back: "Volver a los mensajes",
  label: "Líneas",
  ask: (topic, host) => `¿Escuchar ${topic} en ${host} sin suscribirse?`,
  start: "Empezar",
  states: {
    connecting: "Conectando",
    open: "En directo",
    waiting: "La conexión terminó. Intentándolo de nuevo.",
    stopped: "Detenido",
  },
  lastSign: (said) => `última señal ${said}`,
  lines: (n) => count(n, lines),
  left: (n) => count(n, { one: "línea omitida", other: "líneas omitidas" }),
  waitingForLines: "Todavía nada. Cada mensaje nuevo es una línea.",
  ended: (atMs) => `Conexión terminada ${timeOfDay(atMs)}`,
  again: (atMs) => `Conexión recuperada ${timeOfDay(atMs)}; lo enviado entretanto no se muestra`,
  pause: "Pausar",
  follow: "Seguir",
  fresh: (n) => count(n, { one: "nueva", other: "nuevas" }),
  copy: "Copiar",
  copyHeading: "Copia estas líneas",
  copied: "Líneas copiadas",
  clear: "Borrar",
};
