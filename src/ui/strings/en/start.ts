/** Shown if the app can't be loaded: the only strings that the prerender has before any are cached. */
export const start = {
  noStart: "Earshot could not start.",
  tryAgain: "Try again",
};
