import type { Translation } from "../catalogue";
import { count } from "../format";

/** Saved views. */
export const views: Translation["views"] = {
  save: "Salvar esta visão",
  rename: "Renomear a visão",
  name: "Nome",
  example: "Backups com falha",
  filter: (filter) => `Inclui o filtro ${filter}.`,
  noFilter: "Inclui os tópicos exibidos, sem filtro.",
  replaces: "Já existe uma visão com este nome. Ela será substituída.",
  needsName: "Informe um nome.",
  taken: "Outra visão tem este nome.",
  saved: (name) => `“${name}” salva`,
  replaced: (name) => `“${name}” alterada`,
  moved: (name, place, all) => `Visão ${name}: ${count(place)} de ${count(all)}`,
  removed: (name) => `“${name}” removida`,
};
