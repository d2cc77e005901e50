import type { Translation } from "../catalogue";
import { count, duration, inOneUnit } from "../format";
import { formats } from "./formats";

/** The message page and its dialogs, and the text shown in place of messages. Durations in ms. */
export const message: Translation["message"] = {
  details: {
    tabs: "Sobre esta mensagem",
    details: "Detalhes",
    versions: "Versões anteriores",
    raw: "Bruto",
    steps: "Outras mensagens",
    previous: "Anterior",
    next: "Próxima",
    topic: "Tópico",
    priority: "Prioridade",
    priorityValue: (n, name) => `${count(n)}, ${name.toLowerCase()}`,
    tags: "Etiquetas",
    received: "Recebida",
    via: { stream: "ao vivo", poll: "ao pôr em dia", push: "por push" },
    receivedValue: (at, via, after) => (after === undefined ? `${at}, ${via}` : `${at}, ${via} (${after})`),
    onServer: "No servidor",
    until: (said) => `até ${said}`,
    goneSince: (said) => `removida desde ${said}`,
    notKept: "não é guardada lá",
    due: "Prevista",
    noAlert: "Sem alerta",
    noAlertReasons: {
      unshown: "por 5 minutos nenhuma aba pôde mostrar notificações",
      history: "já estava no servidor quando seu tópico foi buscado pela primeira vez",
      superseded: "uma versão mais recente já estava aqui",
      read: "já tinha sido lida, apagada ou concluída",
      muted: "seu tópico estava silenciado",
      priority: "seu tópico pedia uma prioridade mais alta",
      "all-muted": "tudo estava silenciado",
      quiet: (until) => (until === undefined ? "horário de silêncio sem fim" : `horário de silêncio até ${until}`),
    },
    link: "Link",
    id: "ID",
    missing: "Esta mensagem não está mais armazenada",
    close: "Fechar",
    copyJson: "Copiar JSON",
    curlCopied: "Comando curl copiado",
  },

  repeats: {
    seen: (n, isPart, ms, days) => {
      const time = days > 0 ? count(days, formats.day) : duration(inOneUnit(Math.max(ms, 1000)));
      return `Vista ${isPart ? "pelo menos " : ""}${count(n, { one: "vez", other: "vezes" })} em ${time}`;
    },
    none: "Nenhuma outra mensagem como esta está armazenada.",
    chart: (first, last, most) =>
      `Gráfico dos momentos: primeira ${first}, última ${last}, no máximo ${count(most)} em uma barra`,
    show: "Listar",
    hide: "Ocultar a lista",
  },

  request: {
    confirm: (label) => `“${label}” envia uma solicitação`,
    confirmHint: "É a mensagem que pede isto. Quem administra o endereço verá o endereço da sua rede.",
    headers: "Cabeçalhos",
    body: "Corpo",
    send: "Enviar",
    remember: (topic) => `Não perguntar de novo quando mensagens de ${topic} solicitarem`,
    preview: "Este botão envia uma solicitação para",
    previews: "Estes botões enviam solicitações para",
  },

  json: {
    tree: "JSON",
    entries: (n) => count(n),
    more: (n) => `mais ${count(n)}`,
    moreCharacters: (n) => `mais ${count(n, { one: "caractere", other: "caracteres" })}`,
    value: "Copiar o valor",
    valueCopied: "Valor copiado",
    path: "Copiar o caminho",
    pathCopied: "Caminho copiado",
  },

  empty: {
    topic: "Ainda não há mensagens",
    topicHint: "Mensagens enviadas a este tópico aparecem aqui na hora. Em um terminal:",
    everything: "Ainda não há mensagens",
    everythingHint: "Mensagens enviadas aos seus tópicos aparecem aqui na hora.",
    starred: "Nada com estrela",
    starredHint: "Uma estrela guarda uma mensagem pelo tempo que você quiser. Pressione s em uma, ou use o menu dela.",
    scheduled: "Nada agendado",
    scheduledHint: "Mensagens a entregar mais tarde aparecem aqui com o horário.",
    done: "Nada concluído",
    doneHint: "Mensagens concluídas saem do feed e aparecem aqui.",
    snoozed: "Nada adiado",
    snoozedHint: "Uma mensagem adiada sai do feed e volta não lida no seu horário. Pressione h em uma.",
    urgent: "Nada urgente",
    urgentHint:
      "Mensagens de prioridade urgente aparecem aqui. As de prioridade alta têm uma lista própria, a um toque daqui.",
    example: "Funciona",
  },

  snooze: {
    heading: "Adiar até",
    times: { hour: "Daqui a 1 hora", evening: "Hoje à noite", tomorrow: "Amanhã", monday: "Próxima segunda-feira" },
    now: "Trazer de volta agora",
    pick: "Escolher um horário",
    set: "Adiar",
    past: "Esse horário já passou.",
  },

  none: {
    heading: "Nenhum resultado",
    hint: "Nenhuma mensagem armazenada corresponde.",
    drop: "Sem",
    wouldShow: (n, isAll) => `${count(n)}${isAll ? "" : "+"} ${n === 1 ? "encontrada" : "encontradas"}`,
    together: "Mesmo sem qualquer um deles, nada é encontrado.",
    none: "Nenhum destes filtros encontra algo sozinho.",
    everywhere: "Pesquisar em todos os tópicos",
    nowhere: "Nenhuma mensagem dos outros tópicos corresponde também.",
    clear: "Limpar o filtro",
  },

  preview: {
    heading: "Prévia",
    empty: "O servidor não tem mensagens deste tópico no momento",
    none: "Nenhuma destas mensagens corresponde ao filtro",
    more: (n) => count(n, { one: "mais antiga não é exibida", other: "mais antigas não são exibidas" }),
  },
};
