import type { Translation } from "../catalogue";
import { connectionTextFrom, type ConnectionStrings } from "../connection-text";
import { count, duration, roughlyAgo } from "../format";

const connectionStrings: ConnectionStrings = {
  idle: "Não conectado",
  connecting: "Conectando",
  live: "Ao vivo",
  inTurn: (topics) => `Ao vivo, ${count(topics)} tópicos em rodízio`,
  polled: (length, time) => `Consulta a cada ${length}${time === undefined ? "" : ` · última ${time}`}`,
  waiting: (length) => `Próxima tentativa em ${length}`,
  offline: "Offline",
  refused: "Recusado",
  noTopicServer: "Não é um servidor de tópicos",
  stopped: "Parado",
};

/** Names of the states of servers and of the device. */
export const state: Translation["state"] = {
  ...connectionTextFrom(connectionStrings),
  transports: { json: "Fluxo JSON", sse: "Fluxo SSE", ws: "WebSocket", poll: "Consultas" },
  automatic: "Automático",
  checking: "Verificando",
  unknown: "Iniciando",
  cacheless: "Não guarda nada",
  cachelessHint: "Este servidor não guarda mensagens: o que é enviado enquanto você está fora se perde.",
  lastContact: (ms) => `último contato ${roughlyAgo(ms, "agora mesmo")}`,
  offline: "Offline.",
  showingStored: "Mostrando o que está armazenado neste dispositivo.",
  nextTry: (ms) => `Próxima tentativa em ${duration(ms)}`,
  complete: (until, since) => (since ? `completo de ${since} até ${until}` : `completo até ${until}`),
  liveOf: (live, all) => `${count(live)} de ${count(all)} servidores ao vivo`,
  notLive: "não ao vivo:",
};
