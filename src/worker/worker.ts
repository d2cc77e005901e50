// Entry of the worker. There is one hub for all tabs or, without shared workers, a hub for each tab, and one of them
// leads.
import { portOf, startHub } from "./start-hub";

declare const self: SharedWorkerGlobalScope | DedicatedWorkerGlobalScope;

const starting = startHub();
if ("onconnect" in self) {
  // Ports queue messages until they are listened to, so no command is lost while the database opens.
  self.onconnect = ({ ports: [port] }) => {
    if (port) void starting.then((hub) => hub.attach(portOf(port)));
  };
} else {
  const scope = self;
  const early: MessageEvent[] = [];
  scope.onmessage = (event) => void early.push(event);
  void starting.then((hub) => {
    hub.attach(portOf(scope));
    for (const event of early) scope.onmessage?.(event);
  });
}
