import { describe } from "vitest";
import { describeIngest } from "./ingest-contract";
import type { Engine } from "./samples";
import { describeSequences } from "./sequences-contract";

/** What a store does on any IndexedDB. @param makeEngine an empty one for each test */
export function describeStoreContract(name: string, makeEngine: () => Engine): void {
  describe(`store ${name}`, () => {
    describeIngest(makeEngine);
    describeSequences(makeEngine);
  });
}
