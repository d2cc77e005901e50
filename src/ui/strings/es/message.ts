import type { Translation } from "../catalogue";
import { count, duration, inOneUnit } from "../format";
import { formats, theMoment } from "./formats";

/** The message page and its dialogs, and the text shown in place of messages. Durations in ms. */
export const message: Translation["message"] = {
  details: {
    tabs: "Sobre este mensaje",
    details: "Detalles",
    versions: "Versiones anteriores",
    raw: "En bruto",
    steps: "Otros mensajes",
    previous: "Anterior",
    next: "Siguiente",
    topic: "Tema",
    priority: "Prioridad",
    priorityValue: (n, name) => `${count(n)}, ${name.toLowerCase()}`,
    tags: "Etiquetas",
    received: "Recibido",
    via: { stream: "en directo", poll: "al ponerse al día", push: "por push" },
    receivedValue: (at, via, after) => (after === undefined ? `${at}, ${via}` : `${at}, ${via} (${after})`),
    onServer: "En el servidor",
    until: (said) => `hasta ${theMoment(said)}`,
    goneSince: (said) => `eliminado desde ${theMoment(said)}`,
    notKept: "no se guarda allí",
    due: "Previsto",
    noAlert: "Sin aviso",
    noAlertReasons: {
      unshown: "durante 5 minutos ninguna pestaña pudo mostrar notificaciones",
      history: "ya estaba en el servidor cuando se recogió su tema por primera vez",
      superseded: "ya había aquí una versión más reciente",
      read: "ya estaba leído, borrado o hecho",
      muted: "su tema estaba silenciado",
      priority: "su tema pedía una prioridad más alta",
      "all-muted": "todo estaba silenciado",
      quiet: (until) =>
        until === undefined ? "horas de silencio sin fin" : `horas de silencio hasta ${theMoment(until)}`,
    },
    link: "Enlace",
    id: "ID",
    missing: "Este mensaje ya no está guardado",
    close: "Cerrar",
    copyJson: "Copiar JSON",
    curlCopied: "Comando curl copiado",
  },

  repeats: {
    seen: (n, isPart, ms, days) => {
      const time = days > 0 ? count(days, formats.day) : duration(inOneUnit(Math.max(ms, 1000)));
      return `Visto ${isPart ? "al menos " : ""}${count(n, { one: "vez", other: "veces" })} en ${time}`;
    },
    none: "No hay guardado ningún otro mensaje como este.",
    chart: (first, last, most) =>
      `Gráfico de los momentos: primero ${first}, último ${last}, como máximo ${count(most)} en una barra`,
    show: "Mostrarlos en una lista",
    hide: "Ocultar la lista",
  },

  request: {
    confirm: (label) => `«${label}» envía una solicitud`,
    confirmHint: "El mensaje lo pide. Quien gestione la dirección verá la dirección de tu red.",
    headers: "Cabeceras",
    body: "Cuerpo",
    send: "Enviar",
    remember: (topic) => `No volver a preguntar cuando los mensajes de ${topic} soliciten`,
    preview: "Este botón envía una solicitud a",
    previews: "Estos botones envían solicitudes a",
  },

  json: {
    tree: "JSON",
    entries: (n) => count(n),
    more: (n) => `${count(n)} más`,
    moreCharacters: (n) => `${count(n, { one: "carácter", other: "caracteres" })} más`,
    value: "Copiar el valor",
    valueCopied: "Valor copiado",
    path: "Copiar la ruta",
    pathCopied: "Ruta copiada",
  },

  empty: {
    topic: "Aún no hay mensajes",
    topicHint: "Los mensajes enviados a este tema aparecen aquí al momento. Desde un terminal:",
    everything: "Aún no hay mensajes",
    everythingHint: "Los mensajes enviados a tus temas aparecen aquí al momento.",
    starred: "No hay nada con estrella",
    starredHint: "Una estrella conserva un mensaje todo el tiempo que quieras. Pulsa s sobre uno o usa su menú.",
    scheduled: "No hay nada programado",
    scheduledHint: "Los mensajes que se entregarán más tarde aparecen aquí con su hora.",
    done: "No hay nada hecho",
    doneHint: "Los mensajes marcados como hechos salen de la lista principal y aparecen aquí.",
    snoozed: "No hay nada pospuesto",
    snoozedHint: "Un mensaje pospuesto sale de la lista principal y vuelve sin leer a su hora. Pulsa h sobre uno.",
    urgent: "Nada urgente",
    urgentHint:
      "Aquí aparecen los mensajes de prioridad urgente. Los de prioridad alta tienen su propia lista, a una pulsación.",
    example: "Funciona",
  },

  snooze: {
    heading: "Posponer hasta",
    times: { hour: "Dentro de 1 hora", evening: "Esta tarde", tomorrow: "Mañana", monday: "El próximo lunes" },
    now: "Traerlo de vuelta ahora",
    pick: "Elegir un momento",
    set: "Posponer",
    past: "Ese momento ya pasó.",
  },

  none: {
    heading: "Nada coincide",
    hint: "Ningún mensaje guardado coincide.",
    drop: "Sin",
    wouldShow: (n, isAll) => `${count(n)}${isAll ? "" : "+"} ${n === 1 ? "encontrado" : "encontrados"}`,
    together: "Aunque se quite cualquiera de ellos, no se encuentra nada.",
    none: "Ninguno de estos filtros encuentra nada por sí solo.",
    everywhere: "Buscar en todos los temas",
    nowhere: "Tampoco coincide ningún mensaje de los demás temas.",
    clear: "Borrar el filtro",
  },

  preview: {
    heading: "Vista previa",
    empty: "El servidor no tiene mensajes de este tema en este momento",
    none: "Ninguno de estos mensajes coincide con el filtro",
    more: (n) => count(n, { one: "más antiguo no se muestra", other: "más antiguos no se muestran" }),
  },
};
