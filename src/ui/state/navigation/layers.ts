import { newStepName } from "./scroll-anchor";

/** What the state of a history step says about layers; a reload keeps it. */
interface LayerState {
  /** Name of the step below all layers, common to the steps above it. */
  base?: string;
  /** How many layers lie above that step; absent = none. */
  layer?: number;
}

/** Something in front of the page that Back closes: a menu, a dialog, a picture. */
interface Layer {
  depth: number;
  close: () => void;
}

const stateNow = (): LayerState => (history.state as LayerState | null) ?? {};

/**
 * The layers in front of the page. Each has a history step, which Back leaves. A layer closed in any other way leaves
 * its step behind, because going back takes a while, during which a link may be followed: the next layer or view takes
 * over the step, or Back skips it.
 */
export class Layers {
  #layers: Layer[] = [];
  /** The state of the step that the page shows. */
  #now: LayerState = stateNow();

  /** Records an opened layer. Returns a function to call when it closes by itself. */
  open(close: () => void): () => void {
    const { layer: depth = 0 } = stateNow();
    const free = depth > (this.#layers.at(-1)?.depth ?? 0);
    const layer = { depth: free ? depth : depth + 1, close };
    if (!free) {
      history.pushState({ ...this.#named(), layer: layer.depth }, "");
      this.#now = stateNow();
    }
    this.#layers.push(layer);
    return () => {
      this.#layers = this.#layers.filter((other) => other !== layer);
    };
  }

  /** The state for the next step if it shows the same place as the one below, so that Back skips it. */
  passing(): LayerState {
    const { base, layer = 1 } = this.#named();
    return { base, layer };
  }

  /** The current step's state, named if it had no name. */
  #named(): LayerState & { base: string } {
    const state = stateNow();
    const { base = newStepName() } = state;
    if (state.base === undefined) history.replaceState({ ...state, base }, "");
    return { ...state, base };
  }

  /** Closes all layers because the page shows another place. */
  closeAll(): void {
    this.#closeAbove(0);
  }

  /** Follows a change of the history step. Returns whether the place is the same, so nothing else need be done. */
  popped(): boolean {
    const before = this.#now;
    this.#now = stateNow();
    const { base, layer = 0 } = this.#now;
    if (base === undefined || base !== before.base) return false;
    const closed = this.#closeAbove(layer);
    // The step of a layer that had already gone: skip it.
    if (closed === 0 && layer < (before.layer ?? 0)) history.back();
    return true;
  }

  /** Whether the current step was made for a layer, so the next place takes it over. */
  get hasStep(): boolean {
    return stateNow().layer !== undefined;
  }

  /** Records that the page itself changed the history step. */
  moved(): void {
    this.#now = stateNow();
  }

  /** Closes the layers above a step, topmost first. Returns how many. */
  #closeAbove(depth: number): number {
    const closed = this.#layers.filter((layer) => layer.depth > depth);
    this.#layers = this.#layers.filter((layer) => layer.depth <= depth);
    for (const { close } of closed.reverse()) close();
    return closed.length;
  }
}
