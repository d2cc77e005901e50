declare global {
  /** The script in index.html has it, as the app's own may be what can't be loaded. Undefined if a host's policy forbids that. */
  var earshotStartAnew: (() => Promise<void>) | undefined;
}

/** Loads the page as its host has it now, where a part of the app could not be loaded. */
export async function startAnew(): Promise<void> {
  if (globalThis.earshotStartAnew) await globalThis.earshotStartAnew();
  else location.reload();
}
