import type { Translation } from "../catalogue";
import { duration, list } from "../format";

export const push: Translation["push"] = {
  heading: "Con la aplicación cerrada",
  receive: "Recibir con la aplicación cerrada",
  hint: "El servidor entrega los mensajes, cifrados, al servicio push de tu navegador, que despierta a Earshot un instante.",
  asking: "Registrando…",
  key: "Clave pública",
  keyHint: "En la configuración del servidor se llama web-push-public-key y tiene 87 caracteres.",
  notKey: "Esto no es una clave para push: una clave tiene 87 caracteres y empieza por B.",
  useKey: "Usar esta clave",
  mustShow:
    "En este sistema cada push muestra una notificación, así que el servidor no envía push de los temas silenciados; sus mensajes aparecen al abrir Earshot.",
  refused: (topics) => `Sin push, porque no tienes permiso para leerlos: ${list(topics)}.`,
  since: "Registrado",
  pushed: "Último push",
  checked: "Última comprobación tras un push",
  never: "Todavía no",
  test: "Probar push",
  testHint: (topic) => `La prueba envía un mensaje a ${topic} y espera su push.`,
  testMessage: "Prueba de push",
  testing: "Esperando el push…",
  arrived: (ms) => `El push llegó al cabo de ${duration(Math.max(ms, 1_000))}.`,
  lost: (ms) => `No llegó ningún push en ${duration(ms)} y este dispositivo no se pudo registrar de nuevo.`,
  renewed: (ms) =>
    `No llegó ningún push en ${duration(ms)}, así que este dispositivo se registró de nuevo. Repite la prueba: si ese push también se pierde, el servicio push es lento o no está accesible.`,
  resumes: "La recepción estaba activada aquí. Se reanuda sola en cuanto permitas las notificaciones.",
  support: {
    plain: "No disponible por http sin cifrar: los navegadores solo aceptan push para páginas cargadas por https.",
    install:
      "Disponible cuando Earshot esté en la pantalla de inicio: toca Compartir y luego Añadir a pantalla de inicio.",
    unsupported: "Este navegador no acepta push para páginas web.",
    blocked:
      "Las notificaciones están bloqueadas para este sitio, y con ellas el push. Permítelas en los ajustes del navegador.",
  },
  faults: {
    denied: "El navegador no permitió las notificaciones, y sin ellas no acepta push.",
    unreachable: "El servicio push del navegador no está accesible. Inténtalo más tarde.",
    untold:
      "Este servidor no dio su clave para push. Si los envía, quien lo gestiona conoce la clave: introdúcela abajo.",
    off: "Este servidor no envía push.",
    "no-key": "Lo que este servidor da como clave para push no lo es.",
    strange: "Este servidor no dice si envía push.",
    "service-refused": "Este servidor no envía al servicio push de tu navegador.",
    "too-many-devices":
      "El servidor no aceptó este dispositivo. Acepta diez en una misma dirección; desactiva el push en uno que ya no uses.",
    forbidden: "El servidor no te permite leer ninguno de estos temas.",
  },

  worker: {
    binary: "Datos binarios",
    unseen: "Sin texto visible",
    many: "{count} mensajes nuevos",
    heldBack: "Mensajes llegados sin aviso: {count}",
    changed: "Han cambiado mensajes",
  },
};
