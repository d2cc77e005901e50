/** Takes the document's place: a page that a test shows and hides. */
export class VisiblePage extends EventTarget {
  visibilityState = "visible";

  turn(state: "visible" | "hidden"): void {
    this.visibilityState = state;
    this.dispatchEvent(new Event("visibilitychange"));
  }
}
