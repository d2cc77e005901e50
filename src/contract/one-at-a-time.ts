/**
 * Makes a function that does the work, one run at a time. A call during a run has the work done once more afterwards;
 * further calls until then share that run. The promise resolves when its run is over, whether or not it failed.
 * @param report told what the work throws
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
