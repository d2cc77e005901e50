import { keep, kept } from "./device-storage";

const KEY = "earshot-rail";

/** Whether the rail shows marks alone. Belongs to this window's device, so it is no setting of the database. */
export class Rail {
  narrow = $state(kept(KEY) === "narrow");

  toggle(): void {
    this.narrow = !this.narrow;
    keep(KEY, this.narrow ? "narrow" : "wide");
  }
}
