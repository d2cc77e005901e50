// Entry of the shared worker: one hub for all tabs.
import { portOf, startHub } from "./start-hub";

declare const self: SharedWorkerGlobalScope;

const starting = startHub();

// Ports queue what comes until they are listened to, so that no command is lost while the database opens.
self.onconnect = ({ ports: [port] }) => {
  if (port) void starting.then((hub) => hub.attach(portOf(port)));
};
