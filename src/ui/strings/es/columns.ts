import type { Translation } from "../catalogue";
import { theMoment } from "./formats";
import { count, timeOfDay } from "../format";

/** Columns side by side, and the wall. */
export const columns: Translation["columns"] = {
  add: "Añadir una columna",
  addLabel: "Qué mostrar",
  choices: "Qué puede mostrar una columna",
  noChoice: "Nada coincide.",
  kinds: { view: "Vista guardada", server: "Servidor" },
  menu: (title) => `Acciones de la columna ${title}`,
  filter: "Filtrar esta columna",
  alone: "Mostrar sola",
  before: "Mover hacia el principio",
  after: "Mover hacia el final",
  wider: "Ensanchar",
  narrower: "Estrechar",
  remove: "Quitar columna",
  removed: "Columna quitada",
  wall: "Mostrar como mural",
  none: "Aún no hay columnas.",
  notSubscribed: (names) => `Sin suscripción a ${names}`,
  subscribe: "Suscribirse…",
};

export const wall: Translation["wall"] = {
  label: "Mural",
  leave: "Salir del mural",
  full: "Pantalla completa",
  noFull: "El navegador no puede mostrar esta página a pantalla completa.",
  mayTurnOff: "Este navegador no puede mantener la pantalla encendida: el dispositivo decide cuándo se apaga.",
  isRefused: "El dispositivo no mantiene la pantalla encendida ahora, quizá para ahorrar energía.",
  empty: "Aquí no hay nada",
  stale: (said) => `Sin contacto desde ${theMoment(said)}. Puede no estar al día.`,
  never: "Aún sin contacto. Puede no estar al día.",
  repeats: (n, firstMs) => `×${count(n)} desde ${theMoment(timeOfDay(firstMs))}`,
};
