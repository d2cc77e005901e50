import type { Translation } from "../catalogue";
import { failureTextFrom, type FailureStrings } from "../failure-text";

const failureStrings: FailureStrings = {
  theServer: "El servidor",
  network: (server) => `${server} no está accesible.`,
  silent: (server) => `${server} dejó de responder.`,
  ended: (server) => `${server} cerró la conexión.`,
  http: (server, status) => `${server} respondió con un error (${status}).`,
  lockedOut: (server) =>
    `Demasiados inicios de sesión fallidos desde esta red. ${server} los rechaza todos durante unos minutos.`,
  busy: (server) => `${server} está limitando las solicitudes.`,
  unauthorized: (server) => `${server} rechazó la contraseña o el token.`,
  mayNotRead: (topics = "este tema") => `Este usuario no puede leer ${topics}.`,
  needsSignIn: (server, topics) => `${server} exige iniciar sesión${topics === undefined ? "" : ` para ${topics}`}.`,
  noTopicServer: "En esta dirección no hay ningún servidor de temas.",
  notAllowedByBrowser: "El navegador no permite que esta página acceda a esa dirección.",
  malformed: (server) =>
    `Responde otra cosa en lugar ${server === undefined ? "del servidor" : `de ${server}`}. Quizá esta red pida antes iniciar sesión.`,
  notAllowedByHost: "Quien aloja esta aplicación no permite este servidor.",
  fixedByHost: "Quien aloja esta aplicación ha fijado este ajuste.",
  duplicate: "Ya tienes una suscripción a este tema.",
  notFound: "Ya no existe.",
  quota: "El almacenamiento está lleno.",
  storage: (text) => `El almacenamiento falló: ${text}`,
};

/** What is said of attempts and commands that failed. */
export const errors = {
  ...failureTextFrom(failureStrings),
  noClipboard: "El navegador no permite que esta página use el portapapeles.",
} satisfies Translation["errors"];
