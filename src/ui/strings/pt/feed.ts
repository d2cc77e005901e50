import type { Translation } from "../catalogue";
import { bytes, count, duration, moment, momentWithTime } from "../format";

/** The feed and its messages, as they are first shown. Times in ms. */
export const feed: Translation["appStrings"]["feed"] = {
  label: "Mensagens",
  loading: "Carregando…",
  searching: (backTo, now) => `Pesquisando; já até ${moment(backTo, now, "within")}`,
  end: "Nada mais antigo está armazenado",
  message: {
    unread: "Não lida",
    starred: "Com estrela",
    due: (left, at, now) => `em ${duration(left)} · ${momentWithTime(at, now, "within")}`,
    select: (title) => `Selecionar ${title}`,
    showAll: "Mostrar tudo",
    showLess: "Mostrar menos",
    binary: (sizeBytes) => `${bytes(sizeBytes)} de dados binários`,
    unseen: (n) => `${count(n, { one: "caractere", other: "caracteres" })}, nenhum visível`,
  },
};
