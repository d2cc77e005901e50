import type { App } from "../state/app.svelte";
import { moveView, placeView } from "../views/saved-views";
import { arrange, stepGroupBy, stepTopicBy, moveGroup, moveTopic } from "./arrange";
import { pickTopic } from "./subscribe/pick-topics";

/** A mouse move of this many px starts a drag; less is a press. */
const DRAG_PX = 6;

/** A touch held this long, ms, picks the item up; one that moves sooner scrolls. */
const HOLD_MS = 400;

/** Within this distance from an edge, px, the list scrolls, by this much a frame, px. */
const EDGE_PX = 40;
const SCROLL_PX = 8;

/** What is dragged or moved. */
type Thing =
  | { kind: "topic"; subId: number; serverId: number }
  | { kind: "group"; name: string }
  | { kind: "view"; viewId: number };

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
 * picked into one feed, by Ctrl or Cmd or a long press. Ends with the signal.
 */
export function reorderable(app: App, list: HTMLElement, signal: AbortSignal): void {
  const options = { signal };
  // Starts listening.
  list.dataset["movable"] = "";
  list.addEventListener("keydown", (event) => pressed(app, event), options);
  // Enter on a link counts as a press, with the held keys.
  list.addEventListener("click", (event) => picked(app, event), options);
  list.addEventListener("pointerdown", (event) => pickUp(app, list, event, signal), options);
}

function thingAt(app: App, target: EventTarget | null): { thing: Thing; element: HTMLElement } | undefined {
  const element =
    target instanceof Element ? target.closest<HTMLElement>("[data-topic], [data-group], [data-view]") : null;
  if (!element) return undefined;
  const { topic, group, view } = element.dataset;
  if (view !== undefined) return { thing: { kind: "view", viewId: Number(view) }, element };
  if (group !== undefined) return { thing: { kind: "group", name: group }, element };
  const subscription = app.catalogue.subscription(Number(topic));
  return subscription && { thing: { kind: "topic", ...subscription }, element };
}

function picked(app: App, event: MouseEvent): void {
  if ((!event.ctrlKey && !event.metaKey) || event.shiftKey || event.altKey) return;
  const at = thingAt(app, event.target);
  if (at?.thing.kind !== "topic") return;
  event.preventDefault();
  pickTopic(app, at.thing.subId);
}

function pressed(app: App, event: KeyboardEvent): void {
  const by = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : 0;
  const at = by !== 0 && event.altKey ? thingAt(app, event.target) : undefined;
  if (!at || by === 0) return;
  event.preventDefault();
  const selector = selectorOf(at.thing);
  const more = at.element.closest("section")?.querySelector<HTMLElement>("[data-more] a");
  // A moved element loses the focus; in a long list it may no longer be drawn.
  void step(app, at.thing, by).then(() => (document.querySelector<HTMLElement>(selector) ?? more)?.focus());
}

/** Selects the focusable element of a thing. */
function selectorOf(thing: Thing): string {
  switch (thing.kind) {
    case "topic":
      return `[data-topic="${thing.subId}"] a`;
    case "group":
      return `[data-group="${CSS.escape(thing.name)}"] button`;
    case "view":
      return `[data-view="${thing.viewId}"] a`;
  }
}

/** Moves a thing by one place. */
function step(app: App, thing: Thing, by: -1 | 1): Promise<void> {
  switch (thing.kind) {
    case "topic":
      return stepTopicBy(app, thing.subId, by);
    case "group":
      return stepGroupBy(app, thing.name, by);
    case "view":
      return moveView(app, thing.viewId, by);
  }
}

function pickUp(app: App, list: HTMLElement, down: PointerEvent, signal: AbortSignal): void {
  const at = down.isPrimary && down.button === 0 ? thingAt(app, down.target) : undefined;
  if (!at) return;
  const { thing, element } = at;
  const ended = new AbortController();
  const options = { signal: AbortSignal.any([signal, ended.signal]) };
  const line = document.createElement("div");
  let isDragging = false;
  let hasMoved = false;
  let place: DropTarget | undefined;
  let y = down.clientY;
  let frame = 0;

  const begin = () => {
    isDragging = true;
    element.classList.add("dragged");
    line.className = "drop-line";
    document.body.append(line);
    follow();
  };
  const follow = () => {
    frame = requestAnimationFrame(follow);
    const { top, bottom } = list.getBoundingClientRect();
    if (y < top + EDGE_PX) list.scrollTop -= SCROLL_PX;
    else if (y > bottom - EDGE_PX) list.scrollTop += SCROLL_PX;
    place = placeAt(list, thing, y);
    const { left, width } = list.getBoundingClientRect();
    line.hidden = !place;
    Object.assign(line.style, { left: `${left + 8}px`, width: `${width - 16}px`, top: `${place?.y ?? 0}px` });
  };
  const end = () => {
    clearTimeout(hold);
    cancelAnimationFrame(frame);
    ended.abort();
    line.remove();
    element.classList.remove("dragged");
  };
  const hold = down.pointerType === "mouse" ? undefined : setTimeout(begin, HOLD_MS);

  document.addEventListener(
    "pointermove",
    (move) => {
      if (move.pointerId !== down.pointerId) return;
      y = move.clientY;
      const far = Math.hypot(move.clientX - down.clientX, move.clientY - down.clientY) > DRAG_PX;
      if (far) hasMoved = true;
      if (isDragging || !far) return;
      if (down.pointerType === "mouse") begin();
      else end();
    },
    options,
  );
  // After the pick-up, the finger drags instead of scrolling.
  list.addEventListener("touchmove", (move) => isDragging && move.cancelable && move.preventDefault(), {
    ...options,
    passive: false,
  });
  document.addEventListener("contextmenu", (menu) => isDragging && menu.preventDefault(), options);
  document.addEventListener("pointercancel", end, options);
  document.addEventListener(
    "keydown",
    (key) => {
      if (key.key !== "Escape" || !isDragging) return;
      key.stopPropagation();
      end();
    },
    { ...options, capture: true },
  );
  document.addEventListener(
    "pointerup",
    () => {
      const to = isDragging && hasMoved ? place : undefined;
      const isRest = isDragging && !hasMoved;
      if (isDragging) swallowClick();
      end();
      if (isRest && thing.kind === "topic") pickTopic(app, thing.subId);
      if (to) void drop(app, thing, to);
    },
    options,
  );
}

/**
 * The press that ends a drag opens nothing. Its click may come later than the next task or never, so it is waited for
 * until the next press or key.
 */
function swallowClick(): void {
  const end = new AbortController();
  const options = { capture: true, signal: end.signal };
  const swallow = (click: Event): void => {
    click.preventDefault();
    click.stopPropagation();
    end.abort();
  };
  document.addEventListener("click", swallow, options);
  for (const next of ["pointerdown", "keydown"]) document.addEventListener(next, () => end.abort(), options);
}

async function drop(app: App, thing: Thing, { group, before }: DropTarget): Promise<void> {
  const number = before === undefined ? undefined : Number(before);
  if (thing.kind === "view") await placeView(app, thing.viewId, number);
  else if (thing.kind === "group") await arrange(app, (order) => moveGroup(order, thing.name, before));
  else await arrange(app, (order) => moveTopic(order, thing.subId, group, number));
}

/** Where something would go if dropped at this height of the page. */
function placeAt(list: HTMLElement, thing: Thing, y: number): DropTarget | undefined {
  const places = placesFor(list, thing);
  let nearest: DropTarget | undefined;
  for (const place of places) {
    if (!nearest || Math.abs(place.y - y) < Math.abs(nearest.y - y)) nearest = place;
  }
  return nearest;
}

function placesFor(list: HTMLElement, thing: Thing): DropTarget[] {
  if (thing.kind === "topic") return placesOfTopics(list, thing.serverId);
  const places = placesBefore(list, thing.kind, null);
  const last = [...list.querySelectorAll<HTMLElement>(`[data-${thing.kind}]`)].at(-1);
  // A group ends with its topics.
  const end = thing.kind === "group" ? last?.parentElement : last;
  return end ? [...places, { group: null, y: end.getBoundingClientRect().bottom }] : places;
}

/** The places before things of a kind. */
function placesBefore(list: HTMLElement, kind: Thing["kind"], group: string | null): DropTarget[] {
  return [...list.querySelectorAll<HTMLElement>(`[data-${kind}]`)].map((element) => {
    return { group, before: element.dataset[kind], y: element.getBoundingClientRect().top };
  });
}

function placesOfTopics(list: HTMLElement, serverId: number): DropTarget[] {
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
