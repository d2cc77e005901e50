import type { Translation } from "../catalogue";
import { count } from "../format";
import { theMoment } from "./formats";

/** The rules of alerts: quiet hours, muting everything, repeats. */
export const alertRules: Translation["alertRules"] = {
  muteAll: {
    heading: "Silenciar todo",
    open: "Silenciar todo…",
    hint: "Los mensajes siguen llegando y cuentan como no leídos. Nada avisa, ni siquiera los mensajes urgentes.",
    muted: (said) => (said ? `Todo está silenciado hasta ${theMoment(said)}` : "Todo está silenciado"),
    end: "Dejar de silenciar",
    topics: "Temas silenciados",
    endOf: (name) => `Dejar de silenciar ${name}`,
    ended: "Todo vuelve a avisar",
  },
  sounds: {
    heading: "Sonidos",
    hint: "Los sonidos de Earshot, en lugar de los del sistema, mientras está abierto y las notificaciones están activadas. Las prioridades bajas y los temas silenciados no suenan.",
    of: { urgent: "Urgentes", high: "Prioridad alta", others: "Otros" },
    ofTopic: "Sonido",
    everywhere: "Como en los ajustes",
    none: "El del sistema",
    names: { chime: "Carillón", knock: "Golpe", drop: "Gota", bell: "Campana", siren: "Sirena" },
    play: "Reproducir",
    notAllowed: "El navegador bloquea el sonido hasta que pulses algo en esta página.",
  },
  outage: {
    label: "Cuando un servidor no está accesible",
    hint: "Avisa una vez, y otra cuando vuelve. No cuando este dispositivo no tiene red.",
    off: "Sin aviso",
    after: (minutes) =>
      minutes === 60 ? "Avisar tras 1 hora" : `Avisar tras ${count(minutes, { one: "minuto", other: "minutos" })}`,
    pause: "Pausar estos avisos",
    pauseHint: "Hasta entonces no se avisa de ningún servidor inaccesible.",
    notPaused: "Sin pausa",
    pausedUntil: (said) => `Hasta ${theMoment(said)}`,
    pauses: { hour: "Durante 1 hora", eight: "Durante 8 horas" },
  },
  repeat: {
    label: "Repetir los avisos urgentes hasta leerlos",
    hint: (minutes, times) =>
      `Los mensajes urgentes vuelven a avisar cada ${count(minutes)} minutos, ${count(times)} veces como máximo, mientras Earshot está abierto.`,
  },
  quiet: {
    heading: "Horas de silencio",
    keep: "Respetar horas de silencio",
    hint: "Los mensajes siguen llegando. Nada avisa a esas horas.",
    span: (n) => `Horario de silencio ${count(n)}`,
    days: "Días",
    from: "Desde",
    to: "Hasta",
    nextDay: (to) => `Termina a las ${to} del día siguiente.`,
    noTime: "Introduce una hora.",
    add: "Añadir un horario",
    remove: (n) => `Quitar el horario de silencio ${count(n)}`,
    removed: "Horario de silencio quitado",
    urgent: "Los mensajes urgentes se saltan el silencio",
    now: (until, urgentAlerts) =>
      `${until === undefined ? "Siempre en silencio" : `En silencio hasta ${theMoment(until)}`}${urgentAlerts ? "; lo urgente avisa" : ""}`,
    ahead: (from) => `Ahora sin silencio; silencio desde ${theMoment(from)}`,
    never: "Nunca en silencio: no hay ningún día elegido",
    off: "Desactivadas",
    push: "Las horas de silencio y la prioridad mínima no se aplican a los mensajes push en este dispositivo: su sistema los muestra todos.",
    ofTopic: { everywhere: "Como en los ajustes", none: "Ninguna", own: "Propias" },
    everywhere: (said) => `En los ajustes: ${said}`,
  },
};
