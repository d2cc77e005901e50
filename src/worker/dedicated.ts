// Entry of the fallback where there are no shared workers: a hub for each tab, of which one leads.
import { portOf, startHub } from "./start-hub";

declare const self: DedicatedWorkerGlobalScope;

const early: MessageEvent[] = [];
self.onmessage = (event) => void early.push(event);

const hub = await startHub();
hub.attach(portOf(self));
for (const event of early) self.onmessage(event);
