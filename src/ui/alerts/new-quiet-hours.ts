import { type QuietHours, type QuietSpan, WEEKDAYS } from "../../contract";

/** A time of quiet to begin with. */
export const NIGHT: Readonly<QuietSpan> = { days: [...WEEKDAYS], from: "22:00", to: "07:00" };

/** Quiet hours that are turned on for the first time. */
export const NEW_QUIET_HOURS: Readonly<QuietHours> = { on: true, spans: [NIGHT], urgentAlerts: true };
