import { portOf, startHub } from "./start-hub";

/** Starts a hub in a worker, and serves each tab that the worker is for. */
export function serveTabs(scope: SharedWorkerGlobalScope | DedicatedWorkerGlobalScope): void {
  const starting = startHub();
  if ("onconnect" in scope) {
    // Ports queue messages until they are listened to, so no command is lost while the database opens.
    scope.onconnect = ({ ports: [port] }) => {
      if (port) void starting.then((hub) => hub.attach(portOf(port)));
    };
    return;
  }
  const early: MessageEvent[] = [];
  scope.onmessage = (event) => void early.push(event);
  void starting.then((hub) => {
    hub.attach(portOf(scope));
    for (const event of early) scope.onmessage?.(event);
  });
}
