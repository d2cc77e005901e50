let want: () => void = () => undefined;

/** Resolves when the page needs more than the screen that a stranger sees; on other visits at once. */
export const shellWanted = new Promise<void>((resolve) => (want = resolve));

/** Lets what surrounds a view be loaded. */
export const wantShell = (): void => want();
