// Entry of the worker. There is one hub for all tabs or, without shared workers, a hub for each tab, and one of them
// leads. Nothing imports this file, and everything that others may import is in files behind it: when a part that
// is loaded later imports from the entry of a module worker, WebKit runs the entry again, and a second hub would start
// in the same worker.
import { serveTabs } from "./serve-tabs";

declare const self: SharedWorkerGlobalScope | DedicatedWorkerGlobalScope;

serveTabs(self);
