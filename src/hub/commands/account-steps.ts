/** What brings the topics of an account and those of this device together. */
export interface AccountSteps {
  /** To subscribe to on this device. */
  addHere: string[];
  /** To add to the account. */
  addThere: string[];
  /** To remove from the account, as they were removed on this device. */
  removeThere: string[];
  /** They were removed from the account elsewhere; here only the user removes them, as their messages would go. */
  leftThere: string[];
}

/**
 * Compares device and server with the last agreed list.
 * @param agreed topics that both had, or that were removed from the account and stayed here; empty the first time
 */
export function stepsBetween(
  agreed: readonly string[],
  here: readonly string[],
  there: readonly string[],
): AccountSteps {
  const sets = [new Set(agreed), new Set(here), new Set(there)] as const;
  const [inAgreed, isHere, isThere] = sets;
  return {
    addHere: [...isThere].filter((topic) => !isHere.has(topic) && !inAgreed.has(topic)),
    addThere: [...isHere].filter((topic) => !isThere.has(topic) && !inAgreed.has(topic)),
    removeThere: [...inAgreed].filter((topic) => isThere.has(topic) && !isHere.has(topic)),
    leftThere: [...inAgreed].filter((topic) => isHere.has(topic) && !isThere.has(topic)),
  };
}
