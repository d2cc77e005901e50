import type { Translation } from "../catalogue";
import { count } from "../format";

/** Strings that several screens share. */
export const common: Translation["appStrings"]["common"] = {
  appName: "Earshot",
  close: "Fechar",
  cancel: "Cancelar",
  save: "Salvar",
  undo: "Desfazer",
  copy: "Copiar",
  copied: "Copiado",
  details: "Detalhes",
  more: "Mais",
  tryAgain: "Tentar de novo",
  tryNow: "Tentar agora",
  signIn: "Entrar",
  subscribe: "Assinar",
  messages: (n) => count(n, { one: "mensagem", other: "mensagens" }),
  unread: (n) => count(n, { one: "não lida", other: "não lidas" }),
  urgentUnread: (n) => count(n, { one: "urgente não lida", other: "urgentes não lidas" }),
  highUnread: (n) => `${count(n, { one: "não lida", other: "não lidas" })} de prioridade alta`,
  topics: (n) => count(n, { one: "tópico", other: "tópicos" }),
  servers: (n) => count(n, { one: "servidor", other: "servidores" }),
  noSuchMessage: "A mensagem deste link não está armazenada neste dispositivo.",
  notLoaded: "Esta parte do aplicativo não pôde ser carregada.",
  noStart: "O Earshot não pôde ser iniciado.",
};

/** Names of the priorities (docs/protocol.md §14). */
export const priority: Translation["appStrings"]["priority"] = {
  label: "Prioridade",
  names: { 1: "Mínima", 2: "Baixa", 3: "Normal", 4: "Alta", 5: "Urgente" },
};
