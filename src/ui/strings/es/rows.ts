import type { Translation } from "../catalogue";
import { count, duration, momentWithTime, timeOfDay } from "../format";
import { theMoment } from "./formats";

/** "Mensaje eliminado", "5 mensajes eliminados". */
const some = (n: number, one: string, other: string) =>
  n === 1 ? `Mensaje ${one}` : `${count(n, { one: "mensaje", other: "mensajes" })} ${other}`;

/** Text around messages, actions on them, and the filter. Times and durations in ms. */
export const rows: Translation["rows"] = {
  newRows: (n) => count(n, { one: "nuevo", other: "nuevos" }),
  newRowsSome: "Mensajes nuevos",
  showNew: "Mostrar los mensajes nuevos",
  failed: "Los mensajes no se pueden leer",
  gap: (offline, kept) =>
    kept === undefined
      ? "Pueden faltar mensajes entre"
      : `Sin conexión durante ${duration(offline)}; el servidor guarda los mensajes durante ${duration(kept)}. Pueden faltar mensajes entre`,
  gapForgot: "El servidor perdió mensajes que guardaba. Pueden faltar mensajes entre",
  gapCut: "Más de lo que el servidor envía de una vez. Pueden faltar mensajes entre",
  gapAnd: "y",
  gapAsk: "Preguntar otra vez al servidor",
  gapEnd: (topics) => (topics === undefined ? "." : ` en ${topics}.`),
  gapTime: (at, now) => theMoment(momentWithTime(at, now, "within")),
  repeats: (n, lastMs, firstMs) => {
    const [last, first] = [timeOfDay(lastMs), timeOfDay(firstMs)];
    return `×${count(n)}, último ${last}${first === last ? "" : `, primero ${first}`}`;
  },
  repeatsOpen: "mostrar todos",
  filter: {
    label: "Buscar y filtrar",
    placeholder: (n) =>
      `Buscar${n ? ` en ${count(n, { one: "mensaje", other: "mensajes" })}` : ""}, o filtrar: priority:high tag:backup -nightly`,
    placeholderShort: (where) => `Buscar en ${where}`,
    search: "Buscar",
    clear: "Borrar la búsqueda y el filtro",
    looked: (n, total) => `${count(n)} de ${count(total)}`,
    slash: "Pulsa / para buscar",
  },
  triage: {
    done: (n) => some(n, "hecho", "hechos"),
    notDone: (n) => some(n, "de vuelta en la lista", "de vuelta en la lista"),
    snoozed: (n, until, now) =>
      `${some(n, "pospuesto", "pospuestos")} hasta ${theMoment(momentWithTime(until, now, "within"))}`,
    woken: (n) => some(n, "de vuelta en la lista", "de vuelta en la lista"),
    deleted: (n) => some(n, "eliminado", "eliminados"),
    cancelled: (n) => (n === 1 ? "Entrega cancelada" : `${count(n)} entregas canceladas`),
    hiddenHere: "Este servidor no puede cancelar; solo se oculta aquí.",
    sent: "Mensaje enviado",
    sentTwice: "Enviado. Este servidor no puede cancelar y lo entregará otra vez a su hora.",
  },

  message: {
    tools: "Acciones del mensaje",
    more: "Más",
    markRead: "Marcar como leído",
    markUnread: "Marcar como no leído",
    star: "Poner estrella",
    unstar: "Quitar estrella",
    done: "Hecho",
    notDone: "No hecho",
    snooze: "Posponer…",
    delete: "Eliminar",
    copyText: "Copiar texto",
    copyLink: "Copiar enlace",
    raw: "JSON en bruto",
    curl: "Copiar como curl",
    open: "Abrir",
    textCopied: "Texto copiado",
    linkCopied: "Enlace copiado",
    jsonCopied: "JSON copiado",
    valueCopied: "Copiado",
    copyByHand: "Copia esto",
    always: (topic) => `Cargar siempre las imágenes de ${topic}`,
    notAlways: (topic) => `Preguntar antes de cargar imágenes de ${topic}`,
    filterTag: (tag) => `Filtrar por la etiqueta ${tag}`,
    moreTags: (n) => `${count(n)} más`,
    openLink: (host) => (host ? `Abrir ${host}` : "Abrir enlace"),
    cannotOpen: (address) => `Los enlaces de este tipo no se pueden abrir aquí: ${address}`,
    cancelDelivery: "Cancelar la entrega",
    sendNow: "Enviar ahora",
    updated: "Actualizado",
    updatedLabel: "Actualizado: mostrar versiones anteriores",
    updatedTip: "Mostrar versiones anteriores",
    back: "Volver a los mensajes",
    loadIcon: (host) => `Cargar icono de ${host}`,
    loadPicture: (host, alt) => (alt ? `Cargar imagen «${alt}» de ${host}` : `Cargar imagen de ${host}`),
  },
  action: {
    done: (label, status) => `${label}: hecho (${String(status)})`,
    refused: (label, status) => `${label}: la dirección respondió con un error (${String(status)})`,
    redirected: (label) => `${label}: la dirección redirige a otra, con la que no se contactó`,
    unanswered: (label) => `${label}: sin respuesta de la dirección`,
    failed: (label, why) => `${label}: ${why}`,
    broadcast: "Solo la aplicación Android del servidor puede hacer esto",
    notStored: "Solo los mensajes de temas suscritos pueden enviar solicitudes",
    noTarget: "Los enlaces de este tipo no se pueden abrir aquí",
  },
};
