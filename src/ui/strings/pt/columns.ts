import type { Translation } from "../catalogue";
import { count, timeOfDay } from "../format";

/** Columns side by side, and the wall. */
export const columns: Translation["columns"] = {
  add: "Adicionar uma coluna",
  addLabel: "O que mostrar",
  choices: "O que uma coluna pode mostrar",
  noChoice: "Nenhum resultado.",
  kinds: { view: "Visão salva", server: "Servidor" },
  menu: (title) => `Ações da coluna ${title}`,
  filter: "Filtrar esta coluna",
  alone: "Mostrar sozinha",
  before: "Mover para o início",
  after: "Mover para o fim",
  wider: "Alargar",
  narrower: "Estreitar",
  remove: "Remover coluna",
  removed: "Coluna removida",
  wall: "Mostrar como mural",
  none: "Ainda não há colunas.",
  notSubscribed: (names) => `Sem assinatura de ${names}`,
  subscribe: "Assinar…",
};

export const wall: Translation["wall"] = {
  label: "Mural",
  leave: "Sair do mural",
  full: "Tela cheia",
  noFull: "O navegador não consegue mostrar esta página em tela cheia.",
  mayTurnOff: "Este navegador não consegue manter a tela ligada: o dispositivo decide quando ela apaga.",
  isRefused: "O dispositivo não mantém a tela ligada agora, talvez para economizar energia.",
  empty: "Nada aqui",
  stale: (said) => `Sem contato desde ${said}. Pode estar desatualizado.`,
  never: "Ainda sem contato. Pode estar desatualizado.",
  repeats: (n, firstMs) => `×${count(n)} desde ${timeOfDay(firstMs)}`,
};
