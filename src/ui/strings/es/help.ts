import type { Translation } from "../catalogue";

/** Around the pages of the help, and where questions arise. */
export const help: Translation["help"] = {
  contents: "Páginas de la ayuda",
  language: "Por ahora, la ayuda solo está en inglés.",
  pages: {
    "first-steps": "Primeros pasos",
    filters: "Buscar y filtrar",
    keyboard: "Teclado",
    phones: "Teléfonos e instalación",
    troubleshooting: "Si algo va mal",
  },
  links: {
    "first-steps": "Cómo funciona Earshot",
    filters: "Cómo funcionan los filtros",
    keyboard: "Más sobre el teclado",
    phones: "Notificaciones en el teléfono",
    troubleshooting: "Si algo va mal",
  },
};
