import type { Translation } from "../catalogue";
import { connectionTextFrom, type ConnectionStrings } from "../connection-text";
import { count, duration, roughlyAgo } from "../format";
import { theMoment } from "./formats";

const connectionStrings: ConnectionStrings = {
  idle: "Sin conectar",
  connecting: "Conectando",
  live: "En directo",
  inTurn: (topics) => `En directo, ${count(topics)} temas por turnos`,
  polled: (length, time) => `Consulta cada ${length}${time === undefined ? "" : ` · última ${time}`}`,
  waiting: (length) => `Próximo intento en ${length}`,
  offline: "Sin conexión",
  refused: "Rechazado",
  noTopicServer: "No es un servidor de temas",
  stopped: "Detenido",
};

/** Names of the states of servers and of the device. */
export const state: Translation["state"] = {
  ...connectionTextFrom(connectionStrings),
  transports: { json: "Flujo JSON", sse: "Flujo SSE", ws: "WebSocket", poll: "Consultas" },
  automatic: "Automático",
  checking: "Comprobando",
  unknown: "Iniciando",
  cacheless: "No guarda nada",
  cachelessHint: "Este servidor no guarda mensajes: lo que se envía mientras no estás se pierde.",
  lastContact: (ms) => `último contacto ${roughlyAgo(ms, "ahora mismo")}`,
  offline: "Sin conexión.",
  showingStored: "Se muestra lo guardado en este dispositivo.",
  nextTry: (ms) => `Próximo intento en ${duration(ms)}`,
  complete: (until, since) =>
    since ? `completo desde ${theMoment(since)} hasta ${theMoment(until)}` : `completo hasta ${theMoment(until)}`,
  liveOf: (live, all) => `${count(live)} de ${count(all)} servidores en directo`,
  notLive: "sin directo:",
};
