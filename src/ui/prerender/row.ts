import { scopes as S } from "./first-rows.scopes";
import { isUnread, rowKey, topicHue, type StoredMessage } from "../../contract";
import { type Priority, priorityOf, toMs } from "../../protocol";
import { bodyText, isSaidBeside, ownTitle, shownTitle } from "../../contract";
import { collapseText, mayNeedCollapse } from "../message/collapse";
import { isJsonText } from "../message/json-text";
import { linkify } from "../message/linkify";
import type { Origin } from "../message/origin";
import { firstIcons } from "../parts/first-icons";
import { isoTime, type WriteDate } from "../strings/dates";
import { drawing, element } from "./element";
import type { CachedStrings } from "./cached-strings";

/** What a row needs to know of its feed. */
export interface RowPlace {
  /** From 1. */
  position: number;
  /** -1 if unknown. */
  setSize: number;
  namesTopic: boolean;
  /** Compact: one line per message. */
  compact: boolean;
  said: CachedStrings;
  write: WriteDate;
}

/** Whether the prerender can draw this row as the app does; it can't if its long text is expanded. */
export function isDrawable(row: StoredMessage, expanded: ReadonlySet<string>): boolean {
  return !expanded.has(rowKey(row));
}

/** A row as `MessageRow` draws it in its first frame; in both, anything but text comes after that frame. */
export function drawRow(
  message: StoredMessage,
  origin: Origin,
  { position, setSize, namesTopic, compact, said, write }: RowPlace,
): HTMLElement {
  const { event } = message;
  const unread = isUnread(message);
  const urgent = priorityOf(event) === 5;
  const titleId = `first${String(position)}`;
  const ms = toMs(event.time);
  const time = element("time", S.Time, { datetime: isoTime(ms) }, write("clock", ms));
  const hasTitle = ownTitle(event) !== undefined;
  const text = [
    ...((compact && event.attachment) || !isSaidBeside(event) ? body(message, said) : []),
    event.attachment && !compact && element("div", `block attachment ${S.MessageRow}`),
  ];
  const name = element("h2", `${hasTitle ? "" : "unseen "}${S.MessageRow}`, { dir: "auto", id: titleId });
  name.append(element("span", S.MessageRow, {}, shownTitle(event, origin)));
  const head = element(
    "header",
    S.MessageRow,
    {},
    name,
    !hasTitle && element("div", `words ${S.MessageRow}`, {}, ...text),
    message.starred && star(said),
    element("span", `time ${S.MessageRow}`, {}, time),
  );
  const namesFoot = namesTopic || (!compact && (event.icon !== undefined || message.updated !== undefined));
  const content = element(
    "div",
    `content ${S.MessageRow}`,
    {},
    head,
    ...(hasTitle ? text : []),
    namesFoot && element("footer", S.MessageRow, {}, namesTopic && topic(origin)),
  );
  const side = element("div", `side ${S.MessageRow}`, {}, marks(event.priority ?? 3, unread, said));
  return element(
    "article",
    `row${compact ? " compact" : ""}${unread ? " unread" : ""}${urgent ? " urgent" : ""} opens ${S.MessageRow}`,
    {
      id: `row ${rowKey(message)}`,
      tabindex: "0",
      "aria-posinset": String(position),
      "aria-setsize": String(setSize),
      "aria-labelledby": titleId,
    },
    side,
    content,
  );
}

function star(said: CachedStrings): HTMLElement {
  return element(
    "span",
    `star ${S.MessageRow}`,
    {},
    drawing("", 15, { "aria-hidden": "true" }, [S.Icon, firstIcons.star]),
    element("span", "unseen", {}, said.starred),
  );
}

function marks(priority: Priority, unread: boolean, said: CachedStrings): HTMLElement {
  const dot = unread && element("span", `dot ${S.RowMark}`, {}, element("span", "unseen", {}, said.unread));
  return element("div", `marks ${S.RowMark}`, {}, priority !== 3 && priorityMark(priority, said), dot);
}

const SHAPES: Readonly<Record<Exclude<Priority, 3>, readonly (readonly [string, string])[]>> = {
  5: [
    [`filled ${S.PriorityMark}`, "M8 2h8l6 6v8l-6 6H8l-6-6V8z"],
    [`sign ${S.PriorityMark}`, "M12 7v6M12 16.8v.01"],
  ],
  4: [[S.PriorityMark, "M12 4L2.5 20.5h19zM12 10v5M12 17.6v.01"]],
  2: [[S.PriorityMark, "M12 5v14M6 13l6 6 6-6"]],
  1: [[S.PriorityMark, "M12 3v12M6 9l6 6 6-6M6 20.5h12"]],
};

function priorityMark(priority: Exclude<Priority, 3>, said: CachedStrings): SVGElement {
  return drawing(
    `p${String(priority)} ${S.PriorityMark}`,
    18,
    { role: "img", "aria-label": said.priorities[priority] },
    ...SHAPES[priority],
  );
}

function topic({ topic, name, colour, serverName }: Origin): HTMLElement {
  const square = element("span", `square ${S.TopicSquare}`);
  square.style.background = `var(--topic-${String(topicHue(topic, colour))})`;
  square.style.inlineSize = "10px";
  square.style.blockSize = "10px";
  return element(
    "span",
    `topic ${S.MessageRow}`,
    {},
    square,
    element("bdi", S.MessageRow, {}, name ?? topic),
    serverName !== undefined && element("bdi", S.MessageRow, {}, `· ${serverName}`),
  );
}

function body({ event }: StoredMessage, said: CachedStrings): HTMLElement[] {
  const shown = bodyText(event);
  // The app fills in the note about a text that can't be shown; only its line is reserved here.
  if (!("text" in shown)) return [element("p", `told ${S.Body}`, {}, "\u00a0")];
  if (shown.text === "") return [];
  const { text } = shown;
  const isJson = shown.kind === "plain" && isJsonText(text);
  const collapsible = isJson || mayNeedCollapse(text);
  const short = collapseText(text);
  const lines = element("span", `text ${S.PlainBody}`, { dir: "auto" });
  for (const piece of linkify(collapsible ? short.text : text)) {
    lines.append(
      piece.kind === "link"
        ? element("a", S.PlainBody, { href: piece.href, target: "_blank", rel: "noopener noreferrer" }, piece.text)
        : piece.text,
    );
  }
  const block = element("div", `body${collapsible ? " folded" : ""} ${S.Body}`, {}, lines);
  return collapsible && !isJson && short.cut ? [block, collapse(block, said)] : [block];
}

/** Lets a text fade out at its end; returns the button that expands it. */
function collapse(block: HTMLElement, said: CachedStrings): HTMLButtonElement {
  block.className = `body folded fades ${S.Body}`;
  const attributes = { type: "button", "aria-expanded": "false" };
  return element("button", `text-button ${S.TextButton}`, attributes, said.showAll);
}

/** Shortens texts that are too long at the current width. Call it once the rows are in the page. */
export function shorten(list: HTMLElement, said: CachedStrings): void {
  const watched = [...list.querySelectorAll<HTMLElement>(`.folded:not(.fades)`)];
  const long = watched.filter(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight + 1);
  for (const block of long) block.after(collapse(block, said));
}
