import type { Translation } from "../catalogue";
import { count, duration, list } from "../format";
import { theMoment } from "./formats";

const NEW = { one: "nuevo", other: "nuevos" };

/** Notifications, and the settings that are about them. */
export const alerts: Translation["alerts"] = {
  heading: "Notificaciones",
  states: {
    on: "Activadas. Recibes avisos mientras Earshot está abierto.",
    off: "Desactivadas",
    ask: "Desactivadas. El navegador pedirá permiso.",
    blocked:
      "Bloqueadas para este sitio. Para permitirlas, pulsa el icono junto a la dirección y luego Notificaciones; en un teléfono, abre los ajustes del navegador para este sitio.",
    plain:
      "No disponibles por http sin cifrar: los navegadores solo muestran notificaciones de páginas cargadas por https.",
    install:
      "Disponibles cuando Earshot esté en la pantalla de inicio: toca Compartir y luego Añadir a pantalla de inicio.",
    unsupported: "Este navegador no admite notificaciones de páginas web.",
    failed: "No disponibles ahora: el navegador no ejecuta ningún service worker para esta página.",
  },
  turnOn: "Activar",
  turnOff: "Desactivar",
  test: "Enviar una prueba",
  testSent:
    "Prueba enviada. Si no aparece nada, el sistema la retiene: revisa sus ajustes de notificaciones y el modo No molestar.",
  testFailed: "El navegador no mostró ninguna notificación.",
  testTitle: "Las notificaciones funcionan",
  testBody: "Este es su aspecto.",
  topicHint: "En los ajustes de un tema puedes silenciarlo o fijar su prioridad mínima.",

  buttons: { done: "Hecho", snooze: "Posponer 1 hora" },
  title: (title, topic) => `${title} · ${topic}`,
  inOne: (n, topic) => `${count(n, NEW)} en ${topic}`,
  inSeveral: (n, topics) => `${count(n, NEW)} en ${count(topics, { one: "tema", other: "temas" })}`,
  withUrgent: (said, n) => `${said}, ${count(n, { one: "urgente", other: "urgentes" })}`,
  arrived: (n, isPart, where) =>
    `${
      isPart ? `${count(n)} o más mensajes nuevos` : count(n, { one: "mensaje nuevo", other: "mensajes nuevos" })
    } en ${typeof where === "number" ? count(where, { one: "tema", other: "temas" }) : list(where)}`,
  topicLine: (topic, n) => `${topic}: ${count(n, { one: "mensaje", other: "mensajes" })}`,
  more: (n) => `y ${count(n, { one: "tema más", other: "temas más" })}`,

  stopped: (server) => `No llega nada de ${server}`,
  refused: (topics) => `No llega nada de ${list(topics)}`,
  away: (server) => `${server} no está accesible`,
  awaySince: (said) =>
    `Desde ${theMoment(said)}. Lo que se envíe entretanto llegará cuando vuelva, si el servidor lo guarda.`,
  back: (server) => `${server} ha vuelto`,
  wasAway: (ms) => `Estuvo inaccesible durante ${duration(ms)}.`,
};
