import type { App } from "../state/app.svelte";
import { longPress } from "../parts/touch";
import { LINES } from "../state/navigation/keep-focus";
import { moveView, placeView } from "../views/saved-views";
import { arrange, stepGroupBy, stepTopicBy, moveGroup, moveTopic } from "./arrange";
import { pickTopic } from "./subscribe/pick-topics";

/** What can be moved, as its element says: a topic's or view's number, a group's name. */
interface Thing {
  kind: (typeof LINES)[number];
  id: string;
}

/** Where it would go: into a group, if it is a topic, and before one of its kind or at the end. */
interface DropTarget {
  group: string | null;
  /** Its number, or the name of a group. */
  before?: string | undefined;
  /** Where the line is drawn, px from the top of the page. */
  y: number;
}

/**
 * Lets topics, groups and saved views be reordered, by dragging or with Alt and the arrow keys, and several topics
 * picked into one feed, by Ctrl or Cmd or a long press.
 */
export function reorderable(app: App, list: HTMLElement): () => void {
  list.addEventListener("keydown", (event) => pressed(app, event));
  // Enter on a link counts as a press, with the keys held.
  list.addEventListener("click", (event) => picked(app, event));
  list.addEventListener("dragstart", (event) => pickUp(app, list, event));
  return longPress(list, (target) => {
    const at = thingAt(target);
    if (at?.thing.kind === "topic") pickTopic(app, Number(at.thing.id));
  });
}

function thingAt(target: EventTarget | null): { thing: Thing; element: HTMLElement } | undefined {
  const element =
    target instanceof Element ? target.closest<HTMLElement>("[data-topic], [data-group], [data-view]") : null;
  if (!element) return undefined;
  const kind = LINES.find((one) => element.dataset[one] !== undefined);
  const id = kind && element.dataset[kind];
  return kind && id !== undefined ? { thing: { kind, id }, element } : undefined;
}

function picked(app: App, event: MouseEvent): void {
  if ((!event.ctrlKey && !event.metaKey) || event.shiftKey || event.altKey) return;
  const at = thingAt(event.target);
  if (at?.thing.kind !== "topic") return;
  event.preventDefault();
  pickTopic(app, Number(at.thing.id));
}

function pressed(app: App, event: KeyboardEvent): void {
  const by = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : 0;
  const at = by !== 0 && event.altKey ? thingAt(event.target) : undefined;
  if (!at || by === 0) return;
  event.preventDefault();
  const { kind, id } = at.thing;
  const selector = `[data-${kind}="${CSS.escape(id)}"] :is(a, button)`;
  const more = at.element.closest("section")?.querySelector<HTMLElement>("[data-more] a");
  // A moved element loses the focus; in a long list it may no longer be drawn.
  void step(app, at.thing, by).then(() => (document.querySelector<HTMLElement>(selector) ?? more)?.focus());
}

function step(app: App, { kind, id }: Thing, by: -1 | 1): Promise<void> {
  if (kind === "group") return stepGroupBy(app, id, by);
  return kind === "topic" ? stepTopicBy(app, Number(id), by) : moveView(app, Number(id), by);
}

/** Follows a drag, which browsers begin, scroll and end by themselves: their links can be dragged. */
function pickUp(app: App, list: HTMLElement, { target }: DragEvent): void {
  const at = thingAt(target);
  if (!at) return;
  const { thing, element } = at;
  const ended = new AbortController();
  const { signal } = ended;
  const line = document.createElement("div");
  line.className = "drop-line";
  line.hidden = true;
  document.body.append(line);
  element.classList.add("dragged");
  let place: DropTarget | undefined;
  const end = () => {
    ended.abort();
    line.remove();
    element.classList.remove("dragged");
  };
  const over = (event: DragEvent) => {
    // It can be dropped here.
    event.preventDefault();
    const far = ({ y }: DropTarget) => Math.abs(y - event.clientY);
    [place] = placesFor(app, list, thing).sort((a, b) => far(a) - far(b));
    const { left, width } = list.getBoundingClientRect();
    line.hidden = !place;
    Object.assign(line.style, { left: `${left + 8}px`, width: `${width - 16}px`, top: `${place?.y ?? 0}px` });
  };
  list.addEventListener("dragover", over, { signal });
  list.addEventListener(
    "drop",
    (event) => {
      event.preventDefault();
      end();
      if (place) void drop(app, thing, place);
    },
    { signal },
  );
  document.addEventListener("dragend", end, { signal });
}

async function drop(app: App, { kind, id }: Thing, { group, before }: DropTarget): Promise<void> {
  const number = before === undefined ? undefined : Number(before);
  if (kind === "view") await placeView(app, Number(id), number);
  else if (kind === "group") await arrange(app, (order) => moveGroup(order, id, before));
  else await arrange(app, (order) => moveTopic(order, Number(id), group, number));
}

function placesFor(app: App, list: HTMLElement, thing: Thing): DropTarget[] {
  if (thing.kind === "topic") return placesOfTopics(list, app.catalogue.subscription(Number(thing.id))?.serverId);
  const places = placesBefore(list, thing.kind, null);
  const last = [...list.querySelectorAll<HTMLElement>(`[data-${thing.kind}]`)].at(-1);
  // A group ends with its topics.
  const end = thing.kind === "group" ? last?.parentElement : last;
  return end ? [...places, { group: null, y: end.getBoundingClientRect().bottom }] : places;
}

function placesBefore(list: HTMLElement, kind: Thing["kind"], group: string | null): DropTarget[] {
  return [...list.querySelectorAll<HTMLElement>(`[data-${kind}]`)].map((element) => {
    return { group, before: element.dataset[kind], y: element.getBoundingClientRect().top };
  });
}

function placesOfTopics(list: HTMLElement, serverId: number | undefined): DropTarget[] {
  return [...list.querySelectorAll<HTMLElement>("section")].flatMap((section) => {
    const group = section.querySelector<HTMLElement>("[data-group]")?.dataset["group"] ?? null;
    // A topic stays on its server; only groups hold topics of several.
    if (group === null && section.dataset["server"] !== String(serverId)) return [];
    const places = placesBefore(section, "topic", group);
    // In a section that draws only some of its topics, a topic dropped at the end would be out of sight.
    if (section.querySelector("[data-more]")) return places;
    return [...places, { group, y: section.getBoundingClientRect().bottom }];
  });
}
