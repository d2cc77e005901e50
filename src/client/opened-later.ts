import type { OpenWorker, WorkerLine } from "./open-worker";

/**
 * Opens workers no sooner than told: starting one takes a processor's core for longer than reading and drawing the first
 * rows does, which need no worker. What is posted before goes out then, in order.
 */
export function openedLater(open: OpenWorker, when: Promise<void>): OpenWorker {
  return (kind, name, events) => {
    let line: WorkerLine | undefined;
    let isClosed = false;
    const early: unknown[] = [];
    void when.then(() => {
      if (isClosed) return;
      line = open(kind, name, events);
      for (const message of early.splice(0)) line.post(message);
    });
    return {
      kind,
      post: (message) => (line ? line.post(message) : void early.push(message)),
      close() {
        isClosed = true;
        line?.close();
      },
    };
  };
}
