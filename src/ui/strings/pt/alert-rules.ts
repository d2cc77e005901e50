import type { Translation } from "../catalogue";
import { count } from "../format";

/** The rules of alerts: quiet hours, muting everything, repeats. */
export const alertRules: Translation["alertRules"] = {
  muteAll: {
    heading: "Silenciar tudo",
    open: "Silenciar tudo…",
    hint: "As mensagens continuam chegando e contam como não lidas. Nada gera alerta, nem as mensagens urgentes.",
    muted: (said) => (said ? `Tudo silenciado até ${said}` : "Tudo silenciado"),
    end: "Reativar alertas",
    topics: "Tópicos silenciados",
    endOf: (name) => `Reativar alertas de ${name}`,
    ended: "Tudo volta a gerar alertas",
  },
  sounds: {
    heading: "Sons",
    hint: "Os sons do Earshot, no lugar dos do sistema, enquanto ele estiver aberto e as notificações ativadas. Prioridades baixas e tópicos silenciados não tocam.",
    of: { urgent: "Urgentes", high: "Prioridade alta", others: "Outras" },
    ofTopic: "Som",
    everywhere: "Como nas configurações",
    none: "O do sistema",
    names: { chime: "Carrilhão", knock: "Batida", drop: "Gota", bell: "Sino", siren: "Sirene" },
    play: "Tocar",
    notAllowed: "O navegador bloqueia o som até você tocar em algo nesta página.",
  },
  outage: {
    label: "Quando um servidor não está acessível",
    hint: "Alerta uma vez, e outra quando ele volta. Não quando este dispositivo está sem rede.",
    off: "Sem alerta",
    after: (minutes) =>
      minutes === 60 ? "Alertar após 1 hora" : `Alertar após ${count(minutes, { one: "minuto", other: "minutos" })}`,
    pause: "Pausar estes alertas",
    pauseHint: "Até lá, nenhum servidor inacessível é avisado.",
    notPaused: "Sem pausa",
    pausedUntil: (said) => `Até ${said}`,
    pauses: { hour: "Por 1 hora", eight: "Por 8 horas" },
  },
  repeat: {
    label: "Repetir alertas urgentes até serem lidos",
    hint: (minutes, times) =>
      `As mensagens urgentes geram um novo alerta a cada ${count(minutes)} minutos, no máximo ${count(times)} vezes, enquanto o Earshot estiver aberto.`,
  },
  quiet: {
    heading: "Horário de silêncio",
    keep: "Usar horário de silêncio",
    hint: "As mensagens continuam chegando. Nada gera alerta nesses períodos.",
    span: (n) => `Período de silêncio ${count(n)}`,
    days: "Dias",
    from: "De",
    to: "Até",
    nextDay: (to) => `Termina às ${to} do dia seguinte.`,
    noTime: "Informe um horário.",
    add: "Adicionar um período",
    remove: (n) => `Remover o período de silêncio ${count(n)}`,
    removed: "Período de silêncio removido",
    urgent: "As mensagens urgentes ignoram o silêncio",
    now: (until, urgentAlerts) =>
      `${until === undefined ? "Sempre em silêncio" : `Em silêncio até ${until}`}${urgentAlerts ? "; urgentes ignoram o silêncio" : ""}`,
    ahead: (from) => `Sem silêncio agora; próximo silêncio: ${from}`,
    never: "Nunca em silêncio: nenhum dia foi escolhido",
    off: "Desativado",
    push: "O horário de silêncio e a prioridade mínima não se aplicam aos pushes neste dispositivo: o sistema mostra todos.",
    ofTopic: { everywhere: "Como nas configurações", none: "Nenhum", own: "Próprio" },
    everywhere: (said) => `Nas configurações: ${said}`,
  },
};
