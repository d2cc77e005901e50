import type { Translation } from "../catalogue";
import { count } from "../format";
import { hostProblemTextFrom, type HostProblemStrings } from "../host-problem-text";

const problemStrings: HostProblemStrings = {
  wanted: {
    object: "um objeto: { … }",
    list: "uma lista: [ … ]",
    name: "um texto de 1 a 40 caracteres",
    address: 'o endereço de um servidor, como "https://ntfy.example.com"',
    colour: 'uma cor, como "#0b7a75"',
    topic: 'um tópico, como "backups" ou "ntfy.example.com/backups"',
    "push-key": "uma chave de push: 87 caracteres que começam com B",
    language: 'um código de idioma, como "pt", ou "system"',
    boolean: "true ou false",
    count: "um número inteiro, 0 ou mais",
    setting: "o nome de uma configuração que quem hospeda pode definir",
    fewer: "no máximo 50 itens",
  },
  oneOf: (values) => `um destes valores: ${values}`,
  tooLong: "O arquivo tem mais de 64 KB e não foi lido.",
  notJson: (text) => `O arquivo não é JSON: ${text}`,
  unknown: (at) => `${at}: nome desconhecido`,
  wrong: (at = "O arquivo", wanted, found) => `${at} deve ser ${wanted}; é ${found}`,
  notAllowed: (at) => `${at} está em um servidor que allowedServers não inclui.`,
};

/** What the host of the app has set. */
export const host: Translation["host"] = {
  heading: "De quem hospeda",
  hint: "Quem hospeda este aplicativo definiu isto no config.json.",
  name: "Nome",
  server: "Servidor padrão",
  allowed: "É possível adicionar tópicos em",
  fixed: "Configurações fixas",
  locked: "Definido por quem hospeda este aplicativo. Não pode ser alterado aqui.",
  problems: (n) => `${count(n, { one: "erro", other: "erros" })} no config.json`,
  problemsHint: "As entradas com erros são ignoradas; as outras valem.",
  problem: hostProblemTextFrom(problemStrings),
};
