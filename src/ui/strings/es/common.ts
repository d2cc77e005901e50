import type { Translation } from "../catalogue";
import { count } from "../format";

/** Strings that several screens share. */
export const common: Translation["appStrings"]["common"] = {
  appName: "Earshot",
  close: "Cerrar",
  cancel: "Cancelar",
  save: "Guardar",
  undo: "Deshacer",
  copy: "Copiar",
  copied: "Copiado",
  details: "Detalles",
  more: "Más",
  tryAgain: "Reintentar",
  tryNow: "Probar ahora",
  signIn: "Iniciar sesión",
  subscribe: "Suscribirse",
  messages: (n) => count(n, { one: "mensaje", other: "mensajes" }),
  unread: (n) => `${count(n)} sin leer`,
  urgentUnread: (n) => `${count(n, { one: "urgente", other: "urgentes" })} sin leer`,
  highUnread: (n) => `${count(n)} de prioridad alta sin leer`,
  topics: (n) => count(n, { one: "tema", other: "temas" }),
  servers: (n) => count(n, { one: "servidor", other: "servidores" }),
  noSuchMessage: "El mensaje de este enlace no está guardado en este dispositivo.",
  notLoaded: "Esta parte de la aplicación no se pudo cargar.",
  noStart: "Earshot no pudo iniciarse.",
};

/** Names of the priorities (docs/protocol.md §14). */
export const priority: Translation["appStrings"]["priority"] = {
  label: "Prioridad",
  names: { 1: "Mínima", 2: "Baja", 3: "Normal", 4: "Alta", 5: "Urgente" },
};
