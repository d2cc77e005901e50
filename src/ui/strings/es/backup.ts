import { backupFaultTextFrom, type BackupFaultStrings } from "../backup-fault-text";
import type { Translation } from "../catalogue";
import { errors } from "./errors";
import { count, list } from "../format";

const messages = { one: "mensaje", other: "mensajes" };
const topics = { one: "tema", other: "temas" };
const servers = { one: "servidor", other: "servidores" };

const faultStrings: BackupFaultStrings = {
  notABackup:
    "Este archivo no es una copia de seguridad de Earshot ni de la aplicación ntfy para Android. No se cambió nada.",
  newer: (version) =>
    `Una versión más reciente de Earshot hizo esta copia (formato ${version}). Recarga esta página para obtener la última versión y vuelve a intentarlo.`,
  cut: "Falta el final de esta copia, como tras una descarga interrumpida. No se cambió nada.",
  badLine: (line) =>
    `La línea ${line} no puede ser correcta: la copia está dañada o alguien la modificó. No se cambió nada.`,
  busy: "Hay otra importación en curso, quizá en otra pestaña. Espera a que termine y vuelve a intentarlo.",
  ended: "La importación terminó antes de completarse. No se conservó nada de ella.",
  changed:
    "Entretanto se añadió aquí uno de sus temas. No se conservó nada de la importación; elige el archivo de nuevo.",
  quota: "No hay espacio suficiente. Lo importado se retiró.",
  nothingKept: "No se conservó nada de la importación.",
};

/** Backups: export, import, and the way to another device. */
export const backup: Translation["backup"] = {
  heading: "Copia de seguridad",
  hint: "Una copia de seguridad es un archivo con tus mensajes y la configuración de Earshot. Cualquier editor de texto puede leerla, y se puede importar en cualquier dispositivo.",
  export: "Exportar",
  contents: "Qué exportar",
  scopes: { everything: "Todo", setup: "Sin mensajes" },
  setupHint: "Servidores, temas, grupos, vistas guardadas y ajustes.",
  withSignIns: "Incluir los inicios de sesión y las cabeceras adicionales, cifrados con una frase de contraseña",
  noSealing: "Los inicios de sesión solo se pueden incluir por https, pues los navegadores solo cifran así.",
  passphrase: "Frase de contraseña",
  passphraseHint: "Sin ella, los inicios de sesión de la copia se pierden. Nadie puede recuperarla.",
  passphraseFault: "Al menos 8 caracteres.",
  save: "Guardar copia",
  written: (n, of) => `${count(n)} de ${count(of, messages)}`,
  stop: "Cancelar",
  saved: (n) => `Copia guardada, con ${count(n, messages)}`,
  savedSetup: "Copia guardada",
  writeFault: (text) => `La copia no se pudo guardar: ${text}`,
  readFault: "La base de datos no se pudo leer. No se guardó ninguna copia.",

  import: "Importar",
  importHint:
    "De una copia de Earshot o de la aplicación ntfy para Android. Ves qué cambiaría antes de que cambie nada.",
  undone: "Una importación se interrumpió y no se conservó nada de ella. Importa el archivo de nuevo.",
  choose: "Elegir una copia",
  fromWebApp: "De la aplicación web de ntfy en este navegador",
  webAppUser: (name) => `De la aplicación web de ntfy en este navegador (${name})`,
  webAppGone: "Los datos de la aplicación web no se pudieron leer.",
  reading: "Leyendo la copia",
  taking: "Importando",
  part: (done, of) => `${done} de ${of}`,
  percent: (done) => `${count(done)} %`,
  preview: "Qué cambiaría la importación",
  madeAt: (when) => `Copia del ${when}`,
  newMessages: (n) => `Se añadirían ${count(n, messages)}.`,
  noMessages: "No contiene mensajes.",
  knownMessages: (n) => `Ya están aquí y quedan como están: ${count(n, messages)}.`,
  deletedMessages: (n) => `Se eliminaron aquí y siguen eliminados: ${count(n, messages)}.`,
  outdated: (n) => `De ellos, más antiguos de lo que se conserva y pronto eliminados otra vez: ${count(n, messages)}.`,
  newTopics: (n) => `Se añadirían ${count(n, topics)}:`,
  andMore: (n) => `y ${count(n)} más`,
  knownTopics: (n) => `Ya están aquí ${count(n, topics)}: sus nombres, colores y ajustes permanecen.`,
  newServers: (names) => `Earshot se conectaría a ${list(names)}.`,
  newViews: (names) => `Vistas guardadas: ${list(names)}.`,
  takeSettings: (n) => `Adoptar ${count(n, { one: "ajuste distinto", other: "ajustes distintos" })}`,
  settingNames: {
    keepDays: "días que se guardan los mensajes",
    keepMessages: "número de mensajes que se guardan",
    theme: "tema de color",
    density: "densidad",
    language: "idioma",
    markRead: "cuándo cuenta un mensaje como leído",
    historyRead: "mensajes antiguos de temas nuevos",
    alerts: "notificaciones",
    swipeLeft: "deslizar a la izquierda",
    swipeRight: "deslizar a la derecha",
    singleKeys: "atajos de una tecla",
    groups: "grupos",
    columns: "columnas",
    keepFiles: "adjuntos que se guardan",
  },
  unreadable: (n) =>
    count(n, { one: "línea no se puede leer y se omitiría.", other: "líneas no se pueden leer y se omitirían." }),
  leftOut: (n) =>
    count(n, { one: "entrada no se puede leer y se omitiría.", other: "entradas no se pueden leer y se omitirían." }),
  sealed: "Sus inicios de sesión están cifrados. Sin la frase de contraseña se omiten y vuelves a iniciar sesión.",
  sealedInsecure:
    "Sus inicios de sesión están cifrados y los navegadores solo descifran por https: tendrías que volver a iniciar sesión.",
  plainSignIns: (n) => `Adoptar los inicios de sesión de ${count(n, servers)}`,
  wrongPassphrase: "Esta no es la frase de contraseña de esta copia.",
  nothingNew: "Todo lo que hay en esta copia ya está aquí.",
  take: "Importar",
  close: "Cerrar",
  taken: (n) => (n === 0 ? "Importado" : `Importado, con ${count(n, messages)}`),
  view: {
    heading: (title) => `Guardar «${title}» como archivo`,
    format: "Formato",
    formats: { csv: "CSV", jsonl: "Líneas JSON" },
    hints: {
      csv: "Para hojas de cálculo. Contiene los mensajes que muestra esta vista, con su filtro.",
      jsonl:
        "Completo, como una copia de seguridad: se puede volver a importar. Contiene los mensajes que muestra esta vista, con su filtro.",
    },
    writing: "Guardando",
    written: (n) => count(n, messages),
    saved: (n) => count(n, { one: "mensaje guardado", other: "mensajes guardados" }),
    save: "Guardar",
  },
  device: {
    heading: "A otro dispositivo",
    hint: "Un enlace o código QR lleva tus servidores, temas, grupos, vistas guardadas y ajustes, pero ni mensajes ni inicios de sesión.",
    show: "Mostrar enlace y código QR",
    title: "A otro dispositivo",
    tooLong:
      "Es demasiado para un enlace. Exporta en su lugar una copia sin mensajes e impórtala en el otro dispositivo.",
    bringHeading: "Configurar desde otro dispositivo",
    bringHint: "Este enlace contiene servidores, temas, vistas y ajustes. Ves qué cambiaría antes de que cambie nada.",
    damaged: "Este enlace está dañado o alguien lo modificó. No se cambió nada.",
  },
  storage: {
    heading: "Por tema",
    topic: "Tema",
    messages: "Mensajes",
    size: "Tamaño",
    about: (size) => `unos ${size}`,
    sizeHint:
      "Los tamaños se estiman a partir de los mensajes más recientes; el navegador necesita más o menos el doble, para las búsquedas.",
    outdated: (n) => `La conservación eliminaría ahora unos ${count(n, messages)}. Los de estrella permanecen.`,
    delete: "Eliminar",
    deleteOf: (topic) => `Eliminar los mensajes de ${topic}`,
    deleteAll: "Eliminar todos los mensajes",
    askOne: (topic) => `¿Eliminar los mensajes de ${topic}?`,
    askAll: "¿Eliminar todos los mensajes?",
    ask: (n) =>
      `Se eliminarían ${count(n, messages)}, también los que tienen estrella, los hechos y los pospuestos. Los temas permanecen. Puedes deshacerlo durante un momento.`,
    deleted: (n) => count(n, { one: "mensaje eliminado", other: "mensajes eliminados" }),
  },
  fault: backupFaultTextFrom(faultStrings, errors.command),
};
