import type { Translation } from "../catalogue";
import { count } from "../format";
import { hostProblemTextFrom, type HostProblemStrings } from "../host-problem-text";

const problemStrings: HostProblemStrings = {
  wanted: {
    object: "un objeto: { … }",
    list: "una lista: [ … ]",
    name: "un texto de 1 a 40 caracteres",
    address: 'la dirección de un servidor, por ejemplo "https://ntfy.example.com"',
    colour: 'un color, por ejemplo "#0b7a75"',
    topic: 'un tema, por ejemplo "backups" o "ntfy.example.com/backups"',
    "push-key": "una clave para push: 87 caracteres que empiezan por B",
    language: 'un código de idioma, por ejemplo "es", o "system"',
    boolean: "true o false",
    count: "un número entero, 0 o mayor",
    setting: "el nombre de un ajuste que quien aloja la aplicación puede fijar",
    fewer: "50 entradas como máximo",
  },
  oneOf: (values) => `uno de estos valores: ${values}`,
  tooLong: "El archivo supera los 64 KB y no se leyó.",
  notJson: (text) => `El archivo no es JSON: ${text}`,
  unknown: (at) => `${at}: nombre desconocido`,
  wrong: (at = "El archivo", wanted, found) => `${at} debe ser ${wanted}; es ${found}`,
  notAllowed: (at) => `${at} está en un servidor que allowedServers no incluye.`,
};

/** What the host of the app has set. */
export const host: Translation["host"] = {
  heading: "De quien aloja la aplicación",
  hint: "Quien aloja esta aplicación fijó esto en su config.json.",
  name: "Nombre",
  server: "Servidor predeterminado",
  allowed: "Se pueden añadir temas en",
  fixed: "Ajustes fijados",
  locked: "Lo fijó quien aloja esta aplicación. No se puede cambiar aquí.",
  problems: (n) => `${count(n, { one: "error", other: "errores" })} en config.json`,
  problemsHint: "Las entradas con errores se ignoran; las demás se aplican.",
  problem: hostProblemTextFrom(problemStrings),
};
