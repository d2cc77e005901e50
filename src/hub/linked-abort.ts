/**
 * An aborter that is also aborted by another signal, until it is unlinked: a long-lived signal must not collect
 * listeners.
 */
export function linkedAbort(signal: AbortSignal | undefined): { aborter: AbortController; unlink: () => void } {
  const aborter = new AbortController();
  const abort = (): void => aborter.abort();
  if (signal?.aborted) abort();
  signal?.addEventListener("abort", abort);
  return { aborter, unlink: () => signal?.removeEventListener("abort", abort) };
}
