// Entry of the worker: one hub for all tabs, or, where there are no shared workers, one for each tab, of which one leads.
// Nothing imports it, and all that others may import is behind it: WebKit runs the entry of a module worker once more for
// a part that is loaded later and imports from it, and a second hub would start in the same worker.
import { serveTabs } from "./serve-tabs";

declare const self: SharedWorkerGlobalScope | DedicatedWorkerGlobalScope;

serveTabs(self);
