import type { Translation } from "../catalogue";
import { count } from "../format";

/** Saved views. */
export const views: Translation["views"] = {
  save: "Salva questa vista",
  rename: "Rinomina la vista",
  name: "Nome",
  example: "Backup non riusciti",
  filter: (filter) => `Include il filtro ${filter}.`,
  noFilter: "Include gli argomenti mostrati, senza filtro.",
  replaces: "Esiste già una vista con questo nome. Verrà sostituita.",
  needsName: "Inserisci un nome.",
  taken: "Un’altra vista ha questo nome.",
  saved: (name) => `«${name}» salvata`,
  replaced: (name) => `«${name}» modificata`,
  moved: (name, place, all) => `Vista ${name}: ${count(place)} di ${count(all)}`,
  removed: (name) => `«${name}» rimossa`,
};
