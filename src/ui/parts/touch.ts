/** A finger that rests this long, ms, makes a long press. */
const LONG_PRESS_MS = 500;

/** A finger that moves this far, px, scrolls or drags; until then it may still be about to press. */
const SLOP = 10;

/** A move is a swipe only if it goes this much further sideways than vertically, so scrolling never swipes. */
const CLEARLY = 1.5;

/** How far a row must be swiped to trigger its action: this fraction of its width, but no more than this many px. */
const MEANT_PART = 0.35;
const MEANT_MOST = 140;

/** The kind of touch, by how far it has moved since it began, px. */
export function kindOfMove(dx: number, dy: number): "undecided" | "swipe" | "other" {
  if (Math.hypot(dx, dy) < SLOP) return "undecided";
  return Math.abs(dx) > CLEARLY * Math.abs(dy) ? "swipe" : "other";
}

/** Whether a row of this width, px, was swiped far enough. */
export function isMeant(dx: number, width: number): boolean {
  return Math.abs(dx) >= Math.min(MEANT_PART * width, MEANT_MOST);
}

/** Calls `held` once a finger has rested there; unless it returns false, no press and no browser's menu follows. */
export function longPress(element: HTMLElement, held: (target: Element) => unknown): () => void {
  const ended = new AbortController();
  const options = { signal: ended.signal, capture: true };
  let finger: { target: Element; x: number; y: number } | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let swallows = false;
  const stop = () => {
    clearTimeout(timer);
    finger = undefined;
  };
  const hold = () => {
    if (!finger) return;
    const { target } = finger;
    stop();
    swallows = held(target) !== false;
  };
  const begin = ({ target, isPrimary, pointerType, clientX: x, clientY: y }: PointerEvent) => {
    stop();
    swallows = false;
    if (!isPrimary || pointerType === "mouse" || !(target instanceof Element)) return;
    finger = { target, x, y };
    timer = setTimeout(hold, LONG_PRESS_MS);
  };
  element.addEventListener("pointerdown", begin, options);
  element.addEventListener(
    "pointermove",
    ({ clientX, clientY }) => {
      if (finger && Math.hypot(clientX - finger.x, clientY - finger.y) >= SLOP) stop();
    },
    options,
  );
  element.addEventListener("pointerup", stop, options);
  element.addEventListener("pointercancel", stop, options);
  const swallow = (event: Event) => {
    if (!swallows) return;
    event.preventDefault();
    event.stopPropagation();
  };
  element.addEventListener("click", swallow, options);
  // Browsers that show a menu for links may do so before the time is up.
  element.addEventListener("contextmenu", (event) => (hold(), swallow(event)), options);
  return () => {
    stop();
    ended.abort();
  };
}
