import type { Translation } from "../catalogue";
import { count, duration, list } from "../format";

const NEW = { one: "nova", other: "novas" };

/** Notifications, and the settings that are about them. */
export const alerts: Translation["alerts"] = {
  heading: "Notificações",
  states: {
    on: "Ativadas. Você é notificado enquanto o Earshot estiver aberto.",
    off: "Desativadas",
    ask: "Desativadas. O navegador vai pedir permissão.",
    blocked:
      "Bloqueadas para este site. Para permitir, clique no ícone ao lado do endereço e depois em Notificações; no celular, abra as configurações do navegador para este site.",
    plain: "Indisponíveis por http simples: os navegadores só mostram notificações de páginas carregadas por https.",
    install:
      "Disponíveis quando o Earshot estiver na tela de início: toque em Compartilhar e depois em Adicionar à Tela de Início.",
    unsupported: "Este navegador não oferece notificações de páginas web.",
    failed: "Indisponíveis agora: o navegador não executa um service worker para esta página.",
  },
  turnOn: "Ativar",
  turnOff: "Desativar",
  test: "Enviar um teste",
  testSent:
    "Teste enviado. Se nada aparecer, o sistema está retendo: verifique as configurações de notificação e o modo Não Perturbe.",
  testFailed: "O navegador não mostrou nenhuma notificação.",
  testTitle: "As notificações funcionam",
  testBody: "É assim que elas aparecem.",
  topicHint: "Nas configurações de um tópico é possível silenciá-lo ou definir a prioridade mínima.",

  buttons: { done: "Concluir", snooze: "Adiar por 1 hora" },
  title: (title, topic) => `${title} · ${topic}`,
  inOne: (n, topic) => `${count(n, NEW)} em ${topic}`,
  inSeveral: (n, topics) => `${count(n, NEW)} em ${count(topics, { one: "tópico", other: "tópicos" })}`,
  withUrgent: (said, n) => `${said}, ${count(n, { one: "urgente", other: "urgentes" })}`,
  arrived: (n, isPart, where) =>
    `${
      isPart ? `${count(n)} ou mais mensagens novas` : count(n, { one: "mensagem nova", other: "mensagens novas" })
    } em ${typeof where === "number" ? count(where, { one: "tópico", other: "tópicos" }) : list(where)}`,
  topicLine: (topic, n) => `${topic}: ${count(n, { one: "mensagem", other: "mensagens" })}`,
  more: (n) => `e mais ${count(n, { one: "tópico", other: "tópicos" })}`,

  stopped: (server) => `Nada chega de ${server}`,
  refused: (topics) => `Nada chega de ${list(topics)}`,
  away: (server) => `${server} não está acessível`,
  awaySince: (said) =>
    `Desde ${said}. O que for enviado nesse meio-tempo chega quando ele voltar, se o servidor guardar.`,
  back: (server) => `${server} voltou`,
  wasAway: (ms) => `Ficou inacessível por ${duration(ms)}.`,
};
