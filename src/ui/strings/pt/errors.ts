import type { Translation } from "../catalogue";
import { failureTextFrom, type FailureStrings } from "../failure-text";

const failureStrings: FailureStrings = {
  theServer: "O servidor",
  network: (server) => `${server} não está acessível.`,
  silent: (server) => `${server} parou de responder.`,
  ended: (server) => `${server} encerrou a conexão.`,
  http: (server, status) => `${server} respondeu com um erro (${status}).`,
  lockedOut: (server) =>
    `Muitas tentativas de login malsucedidas desta rede. ${server} recusa todas por alguns minutos.`,
  busy: (server) => `${server} está limitando as solicitações.`,
  unauthorized: (server) => `${server} recusou a senha ou o token.`,
  mayNotRead: (topics = "este tópico") => `Este usuário não pode ler ${topics}.`,
  needsSignIn: (server, topics) => `${server} exige login${topics === undefined ? "" : ` para ${topics}`}.`,
  noTopicServer: "Não há um servidor de tópicos neste endereço.",
  notAllowedByBrowser: "O navegador não permite que esta página acesse esse endereço.",
  malformed: (server) =>
    `Outra coisa está respondendo no lugar ${server === undefined ? "do servidor" : `de ${server}`}. Talvez esta rede exija login antes.`,
  notAllowedByHost: "Quem hospeda este aplicativo não permite este servidor.",
  fixedByHost: "Quem hospeda este aplicativo fixou esta configuração.",
  duplicate: "Você já assina este tópico.",
  notFound: "Não existe mais.",
  quota: "O armazenamento está cheio.",
  storage: (text) => `O armazenamento falhou: ${text}`,
};

/** What is said of attempts and commands that failed. */
export const errors = {
  ...failureTextFrom(failureStrings),
  noClipboard: "O navegador não permite que esta página use a área de transferência.",
} satisfies Translation["errors"];
