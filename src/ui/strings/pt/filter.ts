import { HAS_VALUES, IS_VALUES } from "../../../contract";
import { PRIORITY_NAMES } from "../../../protocol";
import type { Translation } from "../catalogue";
import { count, list } from "../format";

const examples: Readonly<Record<string, string>> = {
  priority: "priority:high",
  tag: "tag:backup",
  tags: "tags:backup,mail",
  title: "title:falhou",
  message: "message:disco",
  id: "id=sPs71M8A2T",
  is: "is:unread",
  has: "has:attachment",
  after: "after:today",
  before: "before:2026-11-20",
  topic: "topic:backups",
  server: "server:ntfy.sh",
  group: "group:casa",
};

/** Chips and completion of the filter box, and its messages about faulty words. */
export const filter: Translation["filter"] = {
  found: (n) => count(n),
  of: (total) => ` de ${count(total)}`,
  counting: "contando…",
  quick: "Filtros rápidos",
  unread: "Não lidas",
  important: "Alta e urgente",
  starred: "Com estrela",
  attachments: "Com anexo",
  not: "não",
  names: {
    priority: "prioridade",
    tags: "etiqueta",
    title: "título",
    message: "texto",
    id: "id",
    is: "estado",
    has: "tem",
    after: "após",
    before: "antes de",
    topic: "tópico",
    server: "servidor",
    group: "grupo",
  },
  remove: (term) => `Remover ${term}`,
  suggestions: "Sugestões",
  keywords: {
    "is:": "unread, read, starred, done ou snoozed",
    "priority:": "uma ou várias: high,urgent",
    "tag:": "todas estas etiquetas: backup,mail",
    "topic:": "um ou vários: backups,door",
    "server:": "por nome ou endereço",
    "group:": "tópicos de um grupo",
    "title:": "palavras do título",
    "message:": "palavras do texto",
    "has:": "attachment, actions, click, title ou icon",
    "after:": "a partir de um momento",
    "before:": "antes de um momento",
    "-": "exclui o que vem depois",
  },
  is: {
    unread: "ainda não lida",
    read: "já lida",
    starred: "marcada com estrela",
    done: "resolvida",
    snoozed: "volta mais tarde",
  },
  has: {
    attachment: "um arquivo ou uma imagem",
    actions: "botões",
    click: "um link para abrir",
    title: "um título próprio",
    icon: "um ícone",
  },
  priorities: { 1: "a mais baixa", 2: "baixa", 3: "a da maioria das mensagens", 4: "alta", 5: "a mais alta" },
  times: {
    "1h": "a última hora",
    today: "desde a meia-noite",
    yesterday: "desde a meia-noite de ontem",
    "3d": "os últimos três dias",
    "1w": "a última semana",
  },
  timesBefore: {
    "1h": "há mais de uma hora",
    today: "ontem e antes",
    yesterday: "antes de ontem",
    "3d": "há mais de três dias",
    "1w": "há mais de uma semana",
  },
  tagged: (n) => `em ${count(n, { one: "mensagem", other: "mensagens" })}`,
  topic: (name) => `em ${name}`,
  topicHint: "somente este tópico",
  topics: (n) => count(n, { one: "tópico", other: "tópicos" }),
  didYouMean: (field) => `Você quis dizer “${field}:”?`,
  write: (field) => `Escrever ${field}:`,
  asText: "Pesquisar como texto",
  wrong: {
    "empty-value": (word, field) => `“${word}” precisa de um valor, como ${examples[field] ?? "uma palavra"}.`,
    "unclosed-quote": () => 'Falta uma aspa. Termine a expressão com outra ".',
    "no-priority": () => "Não resta nenhuma prioridade: elas vão de 1 (min) a 5 (urgent).",
    "bad-priority": (word) =>
      `“${word}” não é uma prioridade. Use ${list(Object.values(PRIORITY_NAMES))}, ou de 1 a 5.`,
    "bad-date": (word) => `“${word}” não é um momento. Use 2026-11-20, 2026-11-20T10:00, today, yesterday, 2h ou 3d.`,
    "unknown-field": (word) => `“${word}” não é um campo.`,
    "unknown-value": (word, field) =>
      field === "has"
        ? `“${word}” não é conhecido aqui. Use has:${list([...HAS_VALUES])}.`
        : `“${word}” não é conhecido aqui. Use is:${list([...IS_VALUES])}.`,
  },
};
