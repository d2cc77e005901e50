import type { Translation } from "../catalogue";
import { count } from "../format";

const missed = (n: number) =>
  count(n, {
    one: (shown) => `Faltaba ${shown} mensaje`,
    other: (shown) => `Faltaban ${shown} mensajes`,
  });

/** The check for messages that the server has and this device doesn't. */
export const missing: Translation["missing"] = {
  looking: "Preguntando al servidor por todo lo que tiene…",
  none: "No falta ninguno",
  found: missed,
  forgot: "El servidor perdió mensajes que guardaba, así que algunos pueden faltar para siempre.",
  foundAndForgot: (n) => `${missed(n)}, y el servidor ha perdido otros.`,
  show: "Mostrar",
  heading: missed,
  text: "Ya están en sus temas, en orden. Los más recientes:",
};
