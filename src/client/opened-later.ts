import type { OpenWorker, WorkerPort } from "./open-worker";

/**
 * Opens workers only once `when` resolves: starting one keeps a processor core busy for longer than it takes to read
 * and draw the first rows, which need no worker. What is posted before is sent then, in order.
 */
export function openedLater(open: OpenWorker, when: Promise<void>): OpenWorker {
  return (kind, name, events) => {
    let port: WorkerPort | undefined;
    let isClosed = false;
    const early: unknown[] = [];
    void when.then(() => {
      if (isClosed) return;
      port = open(kind, name, events);
      for (const message of early.splice(0)) port.post(message);
    });
    return {
      kind,
      post: (message) => (port ? port.post(message) : void early.push(message)),
      close() {
        isClosed = true;
        port?.close();
      },
    };
  };
}
