import { count } from "../format";

/** The rules of alerts: quiet hours, muting everything, repeats. */
export const alertRules = {
  muteAll: {
    heading: "Mute everything",
    open: "Mute everything…",
    hint: "Messages still arrive and count as unread. Nothing alerts, not even urgent messages.",
    /** @param said when it ends; absent = never by itself */
    muted: (said: string | undefined) => (said ? `Everything is muted until ${said}` : "Everything is muted"),
    end: "Unmute",
    topics: "Muted topics",
    endOf: (name: string) => `Unmute ${name}`,
    ended: "Everything alerts again",
  },
  repeat: {
    label: "Repeat urgent alerts until read",
    hint: (minutes: number, times: number) =>
      `Urgent messages alert again every ${count(minutes)} minutes, ${count(times)} times at most, while Earshot is open.`,
  },
  sounds: {
    heading: "Sounds",
    hint: "Earshot's own sounds, in place of the system's, while it is open and notifications are on. Low priorities and muted topics stay silent.",
    of: { urgent: "Urgent", high: "High", others: "Others" },
    ofTopic: "Sound",
    everywhere: "Same as in settings",
    none: "The system's",
    names: { chime: "Chime", knock: "Knock", drop: "Drop", bell: "Bell", siren: "Siren" },
    play: "Play",
    notAllowed: "The browser blocks sound until you press something on this page.",
  },
  outage: {
    label: "When a server can't be reached",
    hint: "Alerts once, and once more when it is back. Not when this device itself has no network.",
    off: "No alert",
    after: (minutes: number) =>
      minutes === 60 ? "Alert after 1 hour" : `Alert after ${count(minutes, { one: "minute", other: "minutes" })}`,
    pause: "Pause these alerts",
    pauseHint: "Until then, no server that can't be reached is announced.",
    notPaused: "Not paused",
    pausedUntil: (said: string) => `Until ${said}`,
    pauses: { hour: "For 1 hour", eight: "For 8 hours" },
  },
  quiet: {
    heading: "Quiet hours",
    keep: "Keep quiet hours",
    hint: "Messages still arrive. Nothing alerts at these times.",
    span: (n: number) => `Quiet time ${count(n)}`,
    days: "Days",
    from: "From",
    to: "To",
    /** @param to "07:00" */
    nextDay: (to: string) => `Ends at ${to} on the next day.`,
    noTime: "Enter a time.",
    add: "Add a time",
    remove: (n: number) => `Remove quiet time ${count(n)}`,
    removed: "Quiet time removed",
    urgent: "Urgent messages break through",
    /** @param until when quiet ends; absent = never */
    now: (until: string | undefined, urgentAlerts: boolean) =>
      `${until === undefined ? "Always quiet" : `Quiet until ${until}`}${urgentAlerts ? "; urgent breaks through" : ""}`,
    ahead: (from: string) => `Not quiet now; quiet from ${from}`,
    never: "Never quiet: no day is chosen",
    off: "Off",
    push: "Quiet hours and minimum priorities don't apply to pushes on this device: its system shows every push.",
    ofTopic: { everywhere: "Same as in settings", none: "None", own: "Its own" },
    everywhere: (said: string) => `In settings: ${said}`,
  },
};
