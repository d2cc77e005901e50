/** What is said where the app can't be loaded: all that the first script has of words before any were noted. */
export const start = {
  noStart: "Earshot could not start.",
  tryAgain: "Try again",
};
