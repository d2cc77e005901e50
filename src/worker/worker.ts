// Entry of the worker: one hub for all tabs, or, where there are no shared workers, one for each tab, of which one leads.
import { portOf, startHub } from "./start-hub";

declare const self: SharedWorkerGlobalScope & DedicatedWorkerGlobalScope;

const starting = startHub();

if ("onconnect" in self) {
  // Ports queue what comes until they are listened to, so that no command is lost while the database opens.
  self.onconnect = ({ ports: [port] }) => {
    if (port) void starting.then((hub) => hub.attach(portOf(port)));
  };
} else {
  const scope = self as DedicatedWorkerGlobalScope;
  const early: MessageEvent[] = [];
  scope.onmessage = (event) => void early.push(event);
  void starting.then((hub) => {
    hub.attach(portOf(scope));
    for (const event of early) scope.onmessage?.(event);
  });
}
