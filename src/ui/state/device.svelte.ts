import type { PageEnvironment } from "../../client";
import type { HubEvent } from "../../contract";

/** Trouble with the storage, as last announced by the hub. */
export type StorageProblem = Exclude<Extract<HubEvent, { kind: "storage" }>["problem"], "none">;

/** What the page knows of its device: the network, the storage, and what the browser offers. */
export class Device {
  /** Whether the device has a network, as far as the browser knows. */
  online = $state(navigator.onLine);
  /** As the client last told it: the hub may learn later that it can only store in memory. */
  environment: PageEnvironment;
  /** Trouble with the storage; undefined when all is well. */
  storageTrouble = $state<StorageProblem>();
  /** Bytes of storage that are left, if that is little. */
  littleStorage = $state<number>();

  constructor(environment: PageEnvironment) {
    this.environment = $state.raw(environment);
  }

  /** Follows the network. Returns a function that stops it. */
  start(): () => void {
    const look = () => (this.online = navigator.onLine);
    addEventListener("online", look);
    addEventListener("offline", look);
    return () => {
      removeEventListener("online", look);
      removeEventListener("offline", look);
    };
  }
}
