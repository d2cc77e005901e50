import type { Translation } from "../catalogue";
import { count } from "../format";

/** Saved views. */
export const views: Translation["views"] = {
  save: "Guardar esta vista",
  rename: "Renombrar la vista",
  name: "Nombre",
  example: "Copias fallidas",
  filter: (filter) => `Incluye el filtro ${filter}.`,
  noFilter: "Incluye los temas mostrados, sin filtro.",
  replaces: "Ya existe una vista con este nombre. Se reemplazará.",
  needsName: "Introduce un nombre.",
  taken: "Otra vista tiene este nombre.",
  saved: (name) => `«${name}» guardada`,
  replaced: (name) => `«${name}» cambiada`,
  moved: (name, place, all) => `Vista ${name}: ${count(place)} de ${count(all)}`,
  removed: (name) => `«${name}» quitada`,
};
