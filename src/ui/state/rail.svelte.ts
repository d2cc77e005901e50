const KEY = "earshot-rail";

/** Where a private window denies storage, the choice lasts as long as the page. */
function stored(): boolean {
  try {
    return localStorage.getItem(KEY) === "narrow";
  } catch (error) {
    if (error instanceof DOMException) return false;
    throw error;
  }
}

/** Whether the rail shows marks alone. Belongs to this window's device, so it is no setting of the database. */
export class Rail {
  narrow = $state(stored());

  toggle(): void {
    this.narrow = !this.narrow;
    try {
      localStorage.setItem(KEY, this.narrow ? "narrow" : "wide");
    } catch (error) {
      // Denied or full: the choice holds for this page, which is all that can be had.
      if (!(error instanceof DOMException)) throw error;
    }
  }
}
