/**
 * Makes a function that runs the work, one run at a time. A call during a run causes one more run afterwards, shared by
 * all further calls until then. The promise resolves when its run is over, whether or not it failed.
 *
 * @param report gets what the work throws
 */
export function oneAtATime(work: () => Promise<void>, report: (problem: unknown) => void): () => Promise<void> {
  let last = Promise.resolve();
  let isWaiting = false;
  return () => {
    if (isWaiting) return last;
    isWaiting = true;
    last = last
      .then(() => {
        isWaiting = false;
        return work();
      })
      .catch(report);
    return last;
  };
}
