import type { Engine } from "../samples";
import { describeStoreContract } from "../store-contract";
import { runTests, type TestResult } from "./vitest-in-page";

declare global {
  /** Runs the store's contract in this page. */
  var runStoreContract: () => Promise<TestResult[]>;
}

let engines = 0;

/** Makes a new database for each test, in the browser's IndexedDB. */
function browserEngine(): Engine {
  const prefix = `${++engines}/`;
  const open = (name: string, version?: number): IDBOpenDBRequest => indexedDB.open(prefix + name, version);
  return { indexedDB: { open } as unknown as IDBFactory };
}

describeStoreContract("in a browser", browserEngine);
globalThis.runStoreContract = runTests;
