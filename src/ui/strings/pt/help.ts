import type { Translation } from "../catalogue";

/** Around the pages of the help, and where questions arise. */
export const help: Translation["help"] = {
  contents: "Páginas da ajuda",
  language: "Por enquanto, a ajuda só existe em inglês.",
  pages: {
    "first-steps": "Primeiros passos",
    filters: "Pesquisar e filtrar",
    keyboard: "Teclado",
    phones: "Celulares e instalação",
    troubleshooting: "Se algo der errado",
  },
  links: {
    "first-steps": "Como o Earshot funciona",
    filters: "Como os filtros funcionam",
    keyboard: "Mais sobre o teclado",
    phones: "Notificações no celular",
    troubleshooting: "Se algo der errado",
  },
};
