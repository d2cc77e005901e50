/** Stands for the document: a page that is turned to and away from. */
export class VisiblePage extends EventTarget {
  visibilityState = "visible";

  turn(state: "visible" | "hidden"): void {
    this.visibilityState = state;
    this.dispatchEvent(new Event("visibilitychange"));
  }
}
