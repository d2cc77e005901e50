import type { Translation } from "../catalogue";
import { count, duration } from "../format";
import { theMoment } from "./formats";

/** Moving a server, and trying what is wrong with one. */
export const servers: Translation["servers"] = {
  address: "Dirección",
  settings: "Ajustes del servidor",
  signIn: {
    hint: "La contraseña se cambia por un token donde el servidor da uno, y entonces no se guarda. Se envía solo a este servidor y solo va en un enlace si tú lo eliges.",
    out: "Cerrar sesión",
    outHint:
      "Al cerrar sesión termina el token que Earshot obtuvo del servidor, también para quienes lo recibieron de ti.",
    byPassword: "La contraseña está guardada en este dispositivo.",
    byToken: "Se guarda un token en lugar de la contraseña.",
    until: (said) => `Se guarda un token en lugar de la contraseña, válido hasta ${theMoment(said)}.`,
    done: (server) => `Sesión cerrada en ${server}`,
    left: (server) =>
      `Sesión cerrada en ${server}. No se le pudo avisar, así que el token sigue siendo válido allí hasta que caduque.`,
    ends: (server, said) => `La sesión en ${server} termina: ${said}.`,
    ended: (server) => `La sesión en ${server} ha terminado.`,
  },
  headers: {
    label: "Cabeceras adicionales",
    hint: "Para un proxy delante del servidor que las pida, una por línea, por ejemplo X-Key: abc. Solo van a este servidor; los mensajes llegan entonces como líneas JSON por HTTP.",
    transport:
      "Los mensajes llegan como líneas JSON, porque un navegador solo envía cabeceras adicionales con peticiones simples.",
    fault: (line) =>
      line === 0 ? "Hay demasiadas cabeceras." : `La línea ${line} no es una cabecera que una página pueda enviar.`,
  },
  account: {
    button: "Temas de la cuenta…",
    heading: (server) => `Temas de la cuenta en ${server}`,
    asking: "Preguntando al servidor…",
    none: "Todos los temas de la cuenta ya están aquí.",
    offered: "Sin suscripción aquí",
    reserved: "reservado para ti",
    keep: "Sincronizar con la cuenta",
    keepHint:
      "Lo que se añade en un lado se añade en el otro, y lo que se quita aquí se quita de la cuenta. Lo que se quita de la cuenta en otro lugar permanece aquí con sus mensajes hasta que lo dejes.",
    leftThere: (topics) => `Quitados de la cuenta en otro lugar: ${topics}.`,
    leave: "Dejarlos aquí también",
    left: (n) => `${count(n, { one: "tema quitado", other: "temas quitados" })}`,
  },
  move: {
    button: "Mudar…",
    heading: (server) => `Mudar ${server}`,
    hint: "Para un servidor que ahora está en otra dirección. Temas, mensajes y marcas quedan como están; los enlaces con la dirección antigua llevan a la nueva.",
    field: "Dirección nueva",
    keep: (who) => `Iniciar sesión también allí (${who})`,
    keepHint: "La contraseña o el token se envía a la dirección nueva. Sin esto, vuelves a iniciar sesión allí.",
    plain:
      "La dirección nueva es http sin cifrar, así que la contraseña se enviaría sin cifrar. Pulsa otra vez Mudar para enviarla.",
    taken: "Esta dirección ya es de uno de tus servidores. Sal antes de sus temas si este servidor ocupa su lugar.",
    same: "Esta es su dirección actual.",
    anyway: "Mudar de todos modos",
    save: "Mudar",
    done: (address) => `Mudado a ${address}`,
    lacksPushes: "Mudado. No se pudo activar el push en la dirección nueva.",
  },
  test: {
    button: "Probar",
    heading: (server) => `Prueba de ${server}`,
    asking: "Preguntando a la dirección…",
    trying: "Probando inicio de sesión, flujo y reloj…",
    repeat: "Probar otra vez",
    tab: "Abrir en una pestaña",
    tabHint: "En una pestaña, el navegador muestra su propio mensaje de error, que una página no puede ver.",
    grades: { good: "Correcto", doubtful: "Revisar", bad: "Problema" },
    reached: "Un servidor de temas responde en esta dirección.",
    mixed:
      "Esta página se cargó por https, así que el navegador no le permite acceder a direcciones http, o solo a algunas de la red local.",
    mixedHint: "Dale https al servidor, o abre Earshot por http.",
    "local-by-http":
      "Esta página se cargó por http desde fuera de la red local, así que el navegador no le permite acceder a nada de ella.",
    "local-by-httpHint": "Abre Earshot por https, o desde un servidor de la red local.",
    "local-denied": "El navegador tiene orden de no permitir que esta página acceda a la red local.",
    "local-deniedHint": "Permítelo en los ajustes del navegador para este sitio, en acceso a la red local.",
    "local-not-asked": "El navegador aún puede preguntar si esta página puede acceder a la red local.",
    "local-not-askedHint": "Prueba otra vez y permítelo cuando el navegador pregunte.",
    offline: "Este dispositivo no tiene red.",
    offlineHint: "Los mensajes llegan cuando vuelva.",
    "no-answer": "Sin respuesta, y el navegador no le dice más a una página.",
    "no-answerHint":
      "El servidor puede estar parado, el nombre o el puerto ser erróneo, el certificado no ser de confianza, o bloquearlo una extensión. En la red local, al navegador puede faltarle además el permiso del sistema.",
    slow: "Sin respuesta en 15 segundos, y tampoco un error.",
    slowHint: "Un cortafuegos puede descartar las solicitudes, el puerto ser erróneo o el servidor estar sobrecargado.",
    unreadable: "Algo responde, pero no permite que esta página lea la respuesta.",
    unreadableHint:
      "Los servidores de temas lo permiten a cualquier página. Así que un proxy delante quita la cabecera CORS o pide su propio inicio de sesión.",
    "something-else": "Algo responde, pero no es un servidor de temas.",
    "something-elseHint":
      "La ruta puede ser errónea, un proxy puede pedir su propio inicio de sesión, o esta red pedir antes uno.",
    worker: (said) => `Esta página llega al servidor, pero la parte que recibe los mensajes no: ${said}`,
    workerHint: "Recarga la página. Si no ayuda, quizá el servidor limite las solicitudes desde aquí.",
    open: "Los temas se pueden leer sin iniciar sesión.",
    signedIn: (who) => `Sesión iniciada como ${who}: los temas se pueden leer.`,
    notSignedIn: "Sin iniciar sesión",
    refused: (who, said) => `${who}: ${said}`,
    stream: "Se abre un flujo: los mensajes llegan al momento.",
    noStream: "No se abre ningún flujo en 5 segundos, así que los mensajes se recogen cada pocos segundos.",
    noStreamHint: "Probablemente un proxy delante del servidor retiene las respuestas hasta que terminan.",
    keeps: (ms) => `El servidor guarda los mensajes durante ${duration(ms)}.`,
    keepsNothing: "El servidor no guarda mensajes: lo que se envía mientras no estás se pierde.",
    keepsNothingHint: "Quien gestiona el servidor puede activar su caché.",
    keepsUnknown: "El servidor no dice cuánto tiempo guarda los mensajes.",
    clock: "Los relojes del servidor y del dispositivo coinciden.",
    ahead: (ms) => `El reloj del servidor va ${duration(ms)} por delante del de este dispositivo.`,
    behind: (ms) => `El reloj del servidor va ${duration(ms)} por detrás del de este dispositivo.`,
    clockHint: "No se pierde nada por eso, pero las horas parecen erróneas. Ajusta el que esté mal.",
  },
};
