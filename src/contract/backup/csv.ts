// A view as CSV, for spreadsheets and scripts (RFC 4180).
import { messageText, priorityOf, toMs } from "../../protocol";
import type { StoredMessage } from "../stored-message";

/** The names of the columns, the same in every language, so that scripts can rely on them. */
const COLUMNS = [
  ...["time", "server", "topic", "priority", "title", "message", "tags", "click"],
  ...["attachment_name", "attachment_url", "id", "received", "read", "starred", "done"],
];

/** Start of a CSV file: column names, after the byte order mark that spreadsheets need for UTF-8. */
export const CSV_HEAD = `\uFEFF${COLUMNS.join(",")}\r\n`;

/** A line of CSV, times in ISO 8601 UTC. An apostrophe keeps spreadsheets from reading a cell as a formula. */
export function csvLine(row: StoredMessage, { server, topic }: Record<"server" | "topic", string>): string {
  const { event } = row;
  const content = messageText(event);
  const cells = [
    isoTime(toMs(event.time)),
    server,
    topic,
    String(priorityOf(event)),
    event.title ?? "",
    content.kind === "text" ? content.text : event.message,
    (event.tags ?? []).join(","),
    event.click ?? "",
    event.attachment?.name ?? "",
    event.attachment?.url ?? "",
    event.id,
    isoTime(row.receivedAtMs),
    row.readAtMs === undefined ? "" : isoTime(row.readAtMs),
    row.starred ? "1" : "",
    row.doneAtMs === undefined ? "" : isoTime(row.doneAtMs),
  ];
  return `${cells.map(cell).join(",")}\r\n`;
}

function cell(text: string): string {
  const safe = /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Servers may send any number as a time. */
function isoTime(ms: number): string {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? "" : date.toISOString();
}
