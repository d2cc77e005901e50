let giveBack: (() => void) | undefined;
const given = new Promise<void>((resolve) => (giveBack = resolve));

/** The first frame, once one began to draw it. */
let started = false;

export const firstFrame = {
  /** Set by the first script. */
  begin(): void {
    started = true;
  },
  end(): void {
    giveBack?.();
  },
  /** Resolves when it was drawn, or will not be. */
  get over(): Promise<void> {
    return started ? given : Promise.resolve();
  },
};
