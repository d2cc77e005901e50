import { backupFaultTextFrom, type BackupFaultStrings } from "../backup-fault-text";
import type { Translation } from "../catalogue";
import { errors } from "./errors";
import { count, list } from "../format";

const messages = { one: "mensagem", other: "mensagens" };
const topics = { one: "tópico", other: "tópicos" };
const servers = { one: "servidor", other: "servidores" };

const faultStrings: BackupFaultStrings = {
  notABackup: "Este arquivo não é um backup do Earshot nem do aplicativo ntfy para Android. Nada foi alterado.",
  newer: (version) =>
    `Uma versão mais recente do Earshot fez este backup (formato ${version}). Recarregue esta página para obter a versão mais nova e tente de novo.`,
  cut: "Falta o fim deste backup, como depois de um download interrompido. Nada foi alterado.",
  badLine: (line) =>
    `A linha ${line} não pode estar certa: o backup está danificado ou alguém o alterou. Nada foi alterado.`,
  busy: "Outra importação está em andamento, talvez em outra aba. Espere ela terminar e tente de novo.",
  ended: "A importação terminou antes de ficar completa. Nada dela foi mantido.",
  changed:
    "Um dos tópicos foi adicionado aqui nesse meio-tempo. Nada da importação foi mantido; escolha o arquivo de novo.",
  quota: "Não há espaço suficiente. O que tinha sido importado foi desfeito.",
  nothingKept: "Nada da importação foi mantido.",
};

/** Backups: export, import, and the way to another device. */
export const backup: Translation["backup"] = {
  heading: "Backup",
  hint: "Um backup é um arquivo com suas mensagens e a configuração do Earshot. Qualquer editor de texto pode lê-lo, e ele pode ser importado em qualquer dispositivo.",
  export: "Exportar",
  contents: "O que exportar",
  scopes: { everything: "Tudo", setup: "Sem mensagens" },
  setupHint: "Servidores, tópicos, grupos, visões salvas e configurações.",
  withSignIns: "Incluir os logins e os cabeçalhos adicionais, criptografados com uma frase secreta",
  noSealing: "Os logins só podem ser incluídos por https, pois os navegadores só criptografam assim.",
  passphrase: "Frase secreta",
  passphraseHint: "Sem ela, os logins do backup se perdem. Ninguém pode recuperá-la.",
  passphraseFault: "Pelo menos 8 caracteres.",
  save: "Salvar backup",
  written: (n, of) => `${count(n)} de ${count(of, messages)}`,
  stop: "Cancelar",
  saved: (n) => `Backup salvo, com ${count(n, messages)}`,
  savedSetup: "Backup salvo",
  writeFault: (text) => `O backup não pôde ser salvo: ${text}`,
  readFault: "O banco de dados não pôde ser lido. Nenhum backup foi salvo.",

  import: "Importar",
  importHint:
    "De um backup do Earshot ou do aplicativo ntfy para Android. Você vê o que mudaria antes de qualquer mudança.",
  undone: "Uma importação foi interrompida e nada dela foi mantido. Importe o arquivo de novo.",
  choose: "Escolher um backup",
  fromWebApp: "Do aplicativo web do ntfy neste navegador",
  webAppUser: (name) => `Do aplicativo web do ntfy neste navegador (${name})`,
  webAppGone: "Os dados do aplicativo web não puderam ser lidos.",
  reading: "Lendo o backup",
  taking: "Importando",
  part: (done, of) => `${done} de ${of}`,
  percent: (done) => `${count(done)}%`,
  preview: "O que a importação mudaria",
  madeAt: (when) => `Backup de ${when}`,
  newMessages: (n) => `Seriam adicionadas: ${count(n, messages)}.`,
  noMessages: "Não contém mensagens.",
  knownMessages: (n) => `Já estão aqui e ficam como estão: ${count(n, messages)}.`,
  deletedMessages: (n) => `Foram excluídas aqui e continuam excluídas: ${count(n, messages)}.`,
  outdated: (n) => `Dessas, mais antigas que a retenção e logo removidas de novo: ${count(n, messages)}.`,
  newTopics: (n) => `Seriam adicionados ${count(n, topics)}:`,
  andMore: (n) => `e mais ${count(n)}`,
  knownTopics: (n) => `Já estão aqui ${count(n, topics)}: nomes, cores e configurações permanecem.`,
  newServers: (names) => `O Earshot se conectaria a ${list(names)}.`,
  newViews: (names) => `Visões salvas: ${list(names)}.`,
  takeSettings: (n) => `Adotar ${count(n, { one: "configuração diferente", other: "configurações diferentes" })}`,
  settingNames: {
    keepDays: "dias de retenção das mensagens",
    keepMessages: "número de mensagens mantidas",
    theme: "tema",
    density: "densidade",
    language: "idioma",
    markRead: "quando uma mensagem conta como lida",
    historyRead: "mensagens antigas de tópicos novos",
    alerts: "notificações",
    swipeLeft: "deslizar para a esquerda",
    swipeRight: "deslizar para a direita",
    singleKeys: "atalhos de uma tecla",
    groups: "grupos",
    columns: "colunas",
    keepFiles: "anexos a guardar",
  },
  unreadable: (n) =>
    count(n, {
      one: "linha não pode ser lida e seria deixada de fora.",
      other: "linhas não podem ser lidas e seriam deixadas de fora.",
    }),
  leftOut: (n) =>
    count(n, {
      one: "item não pode ser lido e seria deixado de fora.",
      other: "itens não podem ser lidos e seriam deixados de fora.",
    }),
  sealed: "Os logins estão criptografados. Sem a frase secreta eles ficam de fora e você entra de novo.",
  sealedInsecure:
    "Os logins estão criptografados e os navegadores só descriptografam por https: você teria que entrar de novo.",
  plainSignIns: (n) => `Adotar os logins de ${count(n, servers)}`,
  wrongPassphrase: "Esta não é a frase secreta deste backup.",
  nothingNew: "Tudo o que há neste backup já está aqui.",
  take: "Importar",
  close: "Fechar",
  taken: (n) => (n === 0 ? "Importado" : `Importado, com ${count(n, messages)}`),
  view: {
    heading: (title) => `Salvar “${title}” como arquivo`,
    format: "Formato",
    formats: { csv: "CSV", jsonl: "Linhas JSON" },
    hints: {
      csv: "Para planilhas. Contém as mensagens que esta visão mostra, com seu filtro.",
      jsonl:
        "Completo, como um backup: pode ser importado de novo. Contém as mensagens que esta visão mostra, com seu filtro.",
    },
    writing: "Salvando",
    written: (n) => count(n, messages),
    saved: (n) => count(n, { one: "mensagem salva", other: "mensagens salvas" }),
    save: "Salvar",
  },
  device: {
    heading: "Para outro dispositivo",
    hint: "Um link ou código QR leva seus servidores, tópicos, grupos, visões salvas e configurações, mas nem mensagens nem logins.",
    show: "Mostrar link e código QR",
    title: "Para outro dispositivo",
    tooLong: "É demais para um link. Em vez disso, exporte um backup sem mensagens e importe-o no outro dispositivo.",
    bringHeading: "Configurar a partir de outro dispositivo",
    bringHint:
      "Este link contém servidores, tópicos, visões e configurações. Você vê o que mudaria antes de qualquer mudança.",
    damaged: "Este link está danificado ou alguém o alterou. Nada foi alterado.",
  },
  storage: {
    heading: "Por tópico",
    topic: "Tópico",
    messages: "Mensagens",
    size: "Tamanho",
    about: (size) => `cerca de ${size}`,
    sizeHint:
      "Os tamanhos são estimados pelas mensagens mais recentes; o navegador precisa de cerca do dobro, para a pesquisa.",
    outdated: (n) => `A retenção removeria agora cerca de ${count(n, messages)}. As com estrela ficam.`,
    delete: "Excluir",
    deleteOf: (topic) => `Excluir as mensagens de ${topic}`,
    deleteAll: "Excluir todas as mensagens",
    askOne: (topic) => `Excluir as mensagens de ${topic}?`,
    askAll: "Excluir todas as mensagens?",
    ask: (n) =>
      `Seriam excluídas: ${count(n, messages)}, inclusive as com estrela, concluídas e adiadas. Os tópicos ficam. Você pode desfazer por um momento.`,
    deleted: (n) => count(n, { one: "mensagem excluída", other: "mensagens excluídas" }),
  },
  fault: backupFaultTextFrom(faultStrings, errors.command),
};
