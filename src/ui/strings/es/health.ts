import type { Translation } from "../catalogue";
import { count, duration } from "../format";
import { theMoment } from "./formats";

/** The details of one connection. */
export const health: Translation["health"] = {
  heading: (server) => `Conexión con ${server}`,
  state: "Estado",
  why: "Motivo",
  receiving: "Recepción",
  byHand: (transport) => `${transport}, elegido por ti`,
  bySelf: (transport) => `${transport}, elegido automáticamente`,
  heldBack: "Un proxy delante del servidor retiene los mensajes, así que se recogen cada pocos segundos.",
  heldBackHint: "Dos líneas en el bloque location del servidor de temas, en nginx, los dejan pasar:",
  inTurn: (n) => `Hay más temas de los que caben en los flujos, así que ${count(n)} se recogen por turnos.`,
  lastContact: "Último contacto",
  lastComplete: "Última comprobación completa",
  checking: "Comprobando…",
  slow: (servers, ms) => `Comprobando desde hace ${duration(ms)}: aún sin respuesta completa de ${servers}`,
  never: "Todavía no",
  keeps: "El servidor guarda los mensajes durante",
  keepsNothing: "No los guarda: lo que se envía mientras no estás se pierde",
  unknown: "Aún no se sabe",
  requests: "Solicitudes en cinco minutos",
  requestsOf: (n, usual) => `${count(n)} de las ${count(usual)} que los servidores suelen permitir`,
  skipped: "Líneas mal formadas omitidas",
  topics: "Temas",
  complete: "Completo, hasta donde el servidor guarda mensajes",
  completeSince: (said) => `Completo desde ${theMoment(said)}`,
  unchecked: "Aún sin comprobar",
  refused: "El servidor exige iniciar sesión",
  refusedUser: "Este usuario no puede leerlo",
  leave: "Salir",
  settings: "Ajustes del servidor",
  copy: "Copiar el diagnóstico",
  copied: "Diagnóstico copiado",
  copyHeading: "Copia este diagnóstico",
  copyHint: "Un texto para quien te ayude. No contiene ningún servidor, tema ni credencial.",
};
