import fc from "fast-check";
import { beforeEach, expect, test, vi } from "vitest";
import { Layers } from "../../src/ui/state/navigation/layers";

/** A history as browsers have it: Back arrives later, and says so. */
class FakeHistory {
  steps: unknown[] = ["before the app", null];
  at = 1;
  onpop: () => void = () => undefined;
  #asked = 0;

  get state(): unknown {
    return this.steps[this.at];
  }

  pushState(state: unknown): void {
    this.steps = [...this.steps.slice(0, this.at + 1), state];
    this.at++;
  }

  replaceState(state: unknown): void {
    this.steps[this.at] = state;
  }

  back(): void {
    this.#asked++;
  }

  /** Goes all steps that were asked for, also those that a step itself asks for. */
  settle(): void {
    while (this.#asked > 0 && this.at > 0) {
      this.#asked--;
      this.at--;
      this.onpop();
    }
    this.#asked = 0;
  }
}

let past: FakeHistory;
let layers: Layers;
/** Places that the page went to because the history changed. */
let arrivals: unknown[];
let open: string[];

beforeEach(() => {
  past = new FakeHistory();
  vi.stubGlobal("history", past);
  layers = new Layers();
  arrivals = [];
  open = [];
  past.onpop = () => {
    if (!layers.popped()) arrivals.push(past.state);
  };
});

/** Opens a layer. Returns a function that closes it as its own button does. */
function show(name: string): () => void {
  const close = () => (open = open.filter((other) => other !== name));
  open.push(name);
  const left = layers.open(close);
  return () => {
    left();
    close();
  };
}

function go(place: string): void {
  layers.closeAll();
  if (layers.hasStep) past.replaceState({ place });
  else past.pushState({ place });
  layers.moved();
}

test("Back closes the topmost layer, and the page stays where it is", () => {
  show("menu");
  show("dialog");
  past.back();
  past.settle();
  expect(open).toEqual(["menu"]);
  past.back();
  past.settle();
  expect(open).toEqual([]);
  expect(arrivals).toEqual([]);
});

test("ten layers are closed by ten quick presses, and no press is lost or too many", () => {
  go("feed");
  for (let n = 0; n < 10; n++) show(`layer ${String(n)}`);
  for (let n = 0; n < 10; n++) past.back();
  past.settle();
  expect(open).toEqual([]);
  expect(past.state).toMatchObject({ place: "feed" });
  past.back();
  past.settle();
  expect(arrivals).toEqual([null]);
});

test("a layer that was closed by itself costs no press of Back", () => {
  go("feed");
  show("menu")();
  past.back();
  past.settle();
  expect(arrivals).toEqual([null]);
});

test("a new layer, and a new place, take over the step of one that was closed", () => {
  go("feed");
  const steps = past.steps.length;
  for (let n = 0; n < 5; n++) show("menu")();
  expect(past.steps).toHaveLength(steps + 1);
  go("settings");
  expect(past.steps).toHaveLength(steps + 1);
  past.back();
  past.settle();
  expect(arrivals).toMatchObject([{ place: "feed" }]);
});

test("no layer survives a change of place, and the topmost is closed first", () => {
  const closed: string[] = [];
  for (const name of ["picture", "dialog", "menu"]) layers.open(() => closed.push(name));
  go("settings");
  expect(closed).toEqual(["menu", "dialog", "picture"]);
});

test("whatever was opened and closed, one press of Back closes the topmost layer or leaves the place", () => {
  const acts = fc.array(fc.constantFrom("open", "close", "back"), { maxLength: 30 });
  fc.assert(
    fc.property(acts, (done) => {
      past = new FakeHistory();
      vi.stubGlobal("history", past);
      layers = new Layers();
      open = [];
      let isLeft = false;
      past.onpop = () => {
        if (!layers.popped()) isLeft = true;
      };
      go("feed");
      const closers: (() => void)[] = [];
      for (const act of done) {
        if (act === "open") closers.push(show(String(closers.length)));
        else if (act === "close") closers.pop()?.();
        else {
          const before = open.length;
          past.back();
          past.settle();
          if (before === 0) {
            expect(isLeft).toBe(true);
            return;
          }
          expect(open).toHaveLength(before - 1);
          closers.pop();
        }
        expect(open).toHaveLength(closers.length);
        expect(isLeft).toBe(false);
      }
    }),
  );
});
