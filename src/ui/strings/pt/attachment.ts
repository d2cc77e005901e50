import type { Translation } from "../catalogue";
import { bytes, count, duration, inOneUnit } from "../format";

/** Files that come with messages. Lengths of time in ms, sizes in bytes. */
export const attachment: Translation["attachment"] = {
  load: "Carregar imagem",
  play: "Reproduzir",
  show: "Mostrar o texto",
  hide: "Ocultar o texto",
  from: (host) => `De ${host}`,
  on: (host) => `em ${host}`,
  expiresIn: (ms) => `no servidor por mais ${duration(inOneUnit(ms))}`,
  gone: "não está mais no servidor",
  file: "Arquivo",
  size: bytes,
  failed: {
    image: "não pode ser exibida: não existe ou não é uma imagem",
    audio: "não pode ser reproduzido: não existe ou este navegador não conhece o formato",
    video: "não pode ser reproduzido: não existe ou este navegador não conhece o formato",
  },
  tryAgain: "Tentar de novo",
  kept: "guardado neste dispositivo",
  notKept: {
    gone: "o servidor já o tinha excluído antes que pudesse ser guardado",
    refused: "não guardado: o servidor pediu um login",
    "too-large": "não guardado: maior que o limite para arquivos",
    "no-room": "não guardado: o espaço para arquivos estava esgotado",
    "disk-full": "não guardado: não havia mais espaço neste dispositivo",
    deleted: "não guardado: você excluiu o arquivo guardado",
    failed: "não guardado: não houve resposta, ou a resposta não era o arquivo",
  },
  save: "Salvar",

  image: {
    enlarge: (name) => `Ampliar ${name}`,
    zoomIn: "Ampliar",
    zoomOut: "Reduzir",
    fit: "Ajustar",
    zoom: (percent) => `${count(percent)}%`,
    open: "Abrir em uma nova aba",
    previous: "Imagem anterior",
    next: "Próxima imagem",
    save: "Salvar imagem",
    share: "Compartilhar imagem",
    loading: "Carregando…",
    view: "Imagem; as setas a movem, + e − mudam o zoom",
  },

  text: {
    reading: "Lendo…",
    first: (shown, total) =>
      total === undefined ? `Os primeiros ${bytes(shown)}` : `Os primeiros ${bytes(shown)} de ${bytes(total)}`,
    empty: "O arquivo está vazio",
    none: "Isto não é texto",
    gone: "Não está mais no servidor",
    failed: "Não pode ser lido aqui: não houve resposta ou o host não permite que esta página o leia",
  },
};
