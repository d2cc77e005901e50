import type { Translation } from "../catalogue";
import { count, timeOfDay } from "../format";

const lines = { one: "linha", other: "linhas" };

/** The live tail of a topic as plain text. */
export const raw: Translation["raw"] = {
  heading: (topic) => `Bruto: ${topic}`,
  what: "Texto ao vivo como enviado, uma linha por mensagem; nada é armazenado.",
  back: "Voltar às mensagens",
  label: "Linhas",
  ask: (topic, host) => `Ouvir ${topic} em ${host} sem assinar?`,
  start: "Iniciar",
  states: {
    connecting: "Conectando",
    open: "Ao vivo",
    waiting: "A conexão terminou. Tentando de novo.",
    stopped: "Parado",
  },
  lastSign: (said) => `último sinal ${said}`,
  lines: (n) => count(n, lines),
  left: (n) => count(n, { one: "linha omitida", other: "linhas omitidas" }),
  waitingForLines: "Nada ainda. Cada mensagem nova é uma linha.",
  ended: (atMs) => `Conexão encerrada ${timeOfDay(atMs)}`,
  again: (atMs) => `Conectado de novo ${timeOfDay(atMs)}; o que foi enviado nesse intervalo não é mostrado`,
  pause: "Pausar",
  follow: "Seguir",
  fresh: (n) => count(n, { one: "nova", other: "novas" }),
  copy: "Copiar",
  copyHeading: "Copie estas linhas",
  copied: "Linhas copiadas",
  clear: "Limpar",
};
