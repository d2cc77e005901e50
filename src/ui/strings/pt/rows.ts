import type { Translation } from "../catalogue";
import { count, duration, momentWithTime, timeOfDay } from "../format";

/** "Mensagem excluída", "5 mensagens excluídas". */
const some = (n: number, one: string, other: string) =>
  n === 1 ? `Mensagem ${one}` : `${count(n, { one: "mensagem", other: "mensagens" })} ${other}`;

/** Text around messages, actions on them, and the filter. Times and durations in ms. */
export const rows: Translation["rows"] = {
  newRows: (n) => count(n, { one: "nova", other: "novas" }),
  newRowsSome: "Mensagens novas",
  showNew: "Mostrar as mensagens novas",
  failed: "As mensagens não podem ser lidas",
  gap: (offline, kept) =>
    kept === undefined
      ? "Podem faltar mensagens entre"
      : `Offline por ${duration(offline)}; o servidor guarda mensagens por ${duration(kept)}. Podem faltar mensagens entre`,
  gapForgot: "O servidor perdeu mensagens que guardava. Podem faltar mensagens entre",
  gapCut: "Mais do que o servidor envia de uma vez. Podem faltar mensagens entre",
  gapAnd: "e",
  gapAsk: "Perguntar de novo ao servidor",
  gapEnd: (topics) => (topics === undefined ? "." : ` em ${topics}.`),
  gapTime: (at, now) => momentWithTime(at, now, "within"),
  repeats: (n, lastMs, firstMs) => {
    const [last, first] = [timeOfDay(lastMs), timeOfDay(firstMs)];
    return `×${count(n)}, última ${last}${first === last ? "" : `, primeira ${first}`}`;
  },
  repeatsOpen: "mostrar todas",
  filter: {
    label: "Pesquisar e filtrar",
    placeholder: (n) =>
      `Pesquisar${n ? ` em ${count(n, { one: "mensagem", other: "mensagens" })}` : ""}, ou filtrar: priority:high tag:backup -nightly`,
    placeholderShort: (where) => `Pesquisar em ${where}`,
    search: "Pesquisar",
    clear: "Limpar a pesquisa e o filtro",
    looked: (n, total) => `${count(n)} de ${count(total)}`,
    slash: "Pressione / para pesquisar",
  },
  triage: {
    done: (n) => some(n, "concluída", "concluídas"),
    notDone: (n) => some(n, "de volta ao feed", "de volta ao feed"),
    snoozed: (n, until, now) => `${some(n, "adiada", "adiadas")} até ${momentWithTime(until, now, "within")}`,
    woken: (n) => some(n, "de volta ao feed", "de volta ao feed"),
    deleted: (n) => some(n, "excluída", "excluídas"),
    cancelled: (n) => (n === 1 ? "Entrega cancelada" : `${count(n)} entregas canceladas`),
    hiddenHere: "Este servidor não pode cancelar; oculta apenas aqui.",
    sent: "Mensagem enviada",
    sentTwice: "Enviada. Este servidor não pode cancelar e vai entregá-la de novo na hora prevista.",
  },

  message: {
    tools: "Ações da mensagem",
    more: "Mais",
    markRead: "Marcar como lida",
    markUnread: "Marcar como não lida",
    star: "Colocar estrela",
    unstar: "Tirar estrela",
    done: "Concluir",
    notDone: "Não concluída",
    snooze: "Adiar…",
    delete: "Excluir",
    copyText: "Copiar texto",
    copyLink: "Copiar link",
    raw: "JSON bruto",
    curl: "Copiar como curl",
    open: "Abrir",
    textCopied: "Texto copiado",
    linkCopied: "Link copiado",
    jsonCopied: "JSON copiado",
    valueCopied: "Copiado",
    copyByHand: "Copie isto",
    always: (topic) => `Sempre carregar imagens de ${topic}`,
    notAlways: (topic) => `Perguntar antes de carregar imagens de ${topic}`,
    filterTag: (tag) => `Filtrar pela etiqueta ${tag}`,
    moreTags: (n) => `mais ${count(n)}`,
    openLink: (host) => (host ? `Abrir ${host}` : "Abrir link"),
    cannotOpen: (address) => `Links deste tipo não podem ser abertos aqui: ${address}`,
    cancelDelivery: "Cancelar a entrega",
    sendNow: "Enviar agora",
    updated: "Atualizada",
    updatedLabel: "Atualizada: mostrar versões anteriores",
    updatedTip: "Mostrar versões anteriores",
    back: "Voltar às mensagens",
    loadIcon: (host) => `Carregar ícone de ${host}`,
    loadPicture: (host, alt) => (alt ? `Carregar imagem “${alt}” de ${host}` : `Carregar imagem de ${host}`),
  },
  action: {
    done: (label, status) => `${label}: feito (${String(status)})`,
    refused: (label, status) => `${label}: o endereço respondeu com um erro (${String(status)})`,
    redirected: (label) => `${label}: o endereço redireciona para outro, que não foi contatado`,
    unanswered: (label) => `${label}: nenhuma resposta do endereço`,
    failed: (label, why) => `${label}: ${why}`,
    broadcast: "Só o aplicativo Android do servidor pode fazer isto",
    notStored: "Só mensagens de tópicos assinados podem enviar solicitações",
    noTarget: "Links deste tipo não podem ser abertos aqui",
  },
};
