/** What a step of the browser's history says of layers; it lies in its state, so a reload keeps it. */
interface LayerState {
  /** Name of the step below all layers, shared by the steps above it. */
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

let bases = 0;

/**
 * The layers in front of the page, and a step of the browser's history for each, which Back leaves. A layer that is
 * closed in another way leaves its step behind, as going back takes a while, in which a link may be followed: the next
 * layer or view takes the step over, and Back passes it.
 */
export class Layers {
  #layers: Layer[] = [];
  /** The state of the step that the page shows. */
  #now: LayerState = stateNow();

  /** Notes a layer that was opened. Returns a function for when it is closed by itself. */
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

  /**
   * What the state of the next step has to hold once that step shows the same place as the one below it, so that Back
   * passes it like that of a layer which is gone.
   */
  passing(): LayerState {
    const { base, layer = 1 } = this.#named();
    return { base, layer };
  }

  /** The state of the step that the page shows, which gets a name if it has none. */
  #named(): LayerState & { base: string } {
    const state = stateNow();
    const base = state.base ?? `${String(Math.round(performance.timeOrigin))}-${String(++bases)}`;
    if (state.base === undefined) history.replaceState({ ...state, base }, "");
    return { ...state, base };
  }

  /** Closes all layers, as the page shows another place. */
  closeAll(): void {
    this.#closeAbove(0);
  }

  /**
   * Follows a change of the history's step. Returns whether the place is the same, so that there is nothing else to do.
   */
  popped(): boolean {
    const before = this.#now;
    this.#now = stateNow();
    const { base, layer = 0 } = this.#now;
    if (base === undefined || base !== before.base) return false;
    const closed = this.#closeAbove(layer);
    // The step of a layer that was gone already: pass it.
    if (closed === 0 && layer < (before.layer ?? 0)) history.back();
    return true;
  }

  /** Whether the history's step was made for a layer, so that the next place takes it over. */
  get hasStep(): boolean {
    return stateNow().layer !== undefined;
  }

  /** Notes that the page itself has changed the history's step. */
  moved(): void {
    this.#now = stateNow();
  }

  /** Closes the layers above a step, the topmost first. Returns how many. */
  #closeAbove(depth: number): number {
    const closed = this.#layers.filter((layer) => layer.depth > depth);
    this.#layers = this.#layers.filter((layer) => layer.depth <= depth);
    for (const { close } of closed.reverse()) close();
    return closed.length;
  }
}
