import type { Translation } from "../catalogue";
import { bytes, count, duration, inOneUnit } from "../format";

/** Files that come with messages. Lengths of time in ms, sizes in bytes. */
export const attachment: Translation["attachment"] = {
  load: "Cargar imagen",
  play: "Reproducir",
  show: "Mostrar el texto",
  hide: "Ocultar el texto",
  from: (host) => `De ${host}`,
  on: (host) => `en ${host}`,
  expiresIn: (ms) => `en el servidor durante ${duration(inOneUnit(ms))} más`,
  gone: "ya no está en el servidor",
  file: "Archivo",
  size: bytes,
  failed: {
    image: "no se puede mostrar: no está o no es una imagen",
    audio: "no se puede reproducir: no está o este navegador no conoce su formato",
    video: "no se puede reproducir: no está o este navegador no conoce su formato",
  },
  tryAgain: "Reintentar",
  kept: "guardado en este dispositivo",
  notKept: {
    gone: "el servidor lo había eliminado antes de que pudiera guardarse",
    refused: "no guardado: el servidor pedía iniciar sesión",
    "too-large": "no guardado: supera el límite para archivos",
    "no-room": "no guardado: el espacio para archivos estaba agotado",
    "disk-full": "no guardado: no quedaba espacio en este dispositivo",
    deleted: "no guardado: borraste el archivo guardado",
    failed: "no guardado: no hubo respuesta, o la respuesta no era el archivo",
  },
  save: "Guardar",

  image: {
    enlarge: (name) => `Ampliar ${name}`,
    zoomIn: "Ampliar",
    zoomOut: "Reducir",
    fit: "Ajustar",
    zoom: (percent) => `${count(percent)} %`,
    open: "Abrir en una pestaña nueva",
    previous: "Imagen anterior",
    next: "Imagen siguiente",
    save: "Guardar imagen",
    share: "Compartir imagen",
    loading: "Cargando…",
    view: "Imagen; las flechas la mueven, + y − cambian el tamaño",
  },

  text: {
    reading: "Leyendo…",
    first: (shown, total) =>
      total === undefined ? `Los primeros ${bytes(shown)}` : `Los primeros ${bytes(shown)} de ${bytes(total)}`,
    empty: "El archivo está vacío",
    none: "Esto no es texto",
    gone: "Ya no está en el servidor",
    failed: "No se puede leer aquí: no hubo respuesta o su servidor no permite que esta página lo lea",
  },
};
