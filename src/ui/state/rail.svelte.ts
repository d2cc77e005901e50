import { keep, kept } from "./device-storage";

const KEY = "earshot-rail";

/** Whether the rail shows only icons. It depends on the device's screen, so it isn't a setting in the database. */
export class Rail {
  narrow = $state(kept(KEY) === "narrow");

  toggle(): void {
    this.narrow = !this.narrow;
    keep(KEY, this.narrow ? "narrow" : "wide");
  }
}
