import { online } from "svelte/reactivity/window";
import type { PageEnvironment } from "../../client";
import type { HubEvent } from "../../contract";

/** Trouble with storage, as last announced by the hub. */
export type StorageProblem = Exclude<Extract<HubEvent, { kind: "storage" }>["problem"], "none">;

/** What the page knows of its device: the network, the storage, and what the browser can do. */
export class Device {
  /** As last told by the client: the hub may find out later that it can only store in memory. */
  environment: PageEnvironment;
  /** Trouble with storage; undefined when all is well. */
  storageTrouble = $state<StorageProblem>();
  /** Bytes of storage left, if there are few. */
  littleStorage = $state<number>();

  constructor(environment: PageEnvironment) {
    this.environment = $state.raw(environment);
  }

  /** Whether the device has a network, as far as the browser knows. */
  get online(): boolean {
    return online.current ?? true;
  }
}
