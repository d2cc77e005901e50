import type { Client, PageEnvironment } from "../../client";
import type { HubEvent } from "../../contract";

/** Trouble with the storage, as last announced by the hub. */
export type StorageProblem = Exclude<Extract<HubEvent, { kind: "storage" }>["problem"], "none">;

/** What the page knows of its device: the network, the storage, and what the browser offers. */
export class Device {
  readonly #client: Client;
  #online = $state(navigator.onLine);
  #environment: PageEnvironment;
  #storageTrouble = $state<StorageProblem>();
  #littleStorage = $state<number>();

  constructor(client: Client) {
    this.#client = client;
    this.#environment = $state.raw(client.environment);
  }

  /** Whether the device has a network, as far as the browser knows. */
  get online(): boolean {
    return this.#online;
  }

  get environment(): PageEnvironment {
    return this.#environment;
  }

  /** Trouble with the storage; undefined when all is well. */
  get storageTrouble(): StorageProblem | undefined {
    return this.#storageTrouble;
  }

  /** Bytes of storage that are left, if that is little. */
  get littleStorage(): number | undefined {
    return this.#littleStorage;
  }

  /** Follows the network. Returns a function that stops it. */
  start(): () => void {
    const look = () => (this.#online = navigator.onLine);
    addEventListener("online", look);
    addEventListener("offline", look);
    return () => {
      removeEventListener("online", look);
      removeEventListener("offline", look);
    };
  }

  setStorageTrouble(problem: StorageProblem | "none"): void {
    this.#storageTrouble = problem === "none" ? undefined : problem;
  }

  setLittleStorage(bytes: number | undefined): void {
    this.#littleStorage = bytes;
  }

  /** Takes over the client's environment: the hub may learn later that it can only store in memory. */
  updateEnvironment(): void {
    this.#environment = this.#client.environment;
  }
}
