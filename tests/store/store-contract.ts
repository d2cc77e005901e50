import { describe } from "vitest";
import { describeClaims } from "./claims-contract";
import { describeDevices } from "./devices-contract";
import { describeIngest } from "./ingest-contract";
import { describeMarks } from "./marks-contract";
import { describeProperties } from "./properties-contract";
import { describeReading } from "./reading-contract";
import { describeRetention } from "./retention-contract";
import type { Engine } from "./samples";
import { describeSearch } from "./search-contract";
import { describeSequences } from "./sequences-contract";
import { describeTables } from "./tables-contract";
import { describeWitnesses } from "./witnesses-contract";

/**
 * The tests that the store must pass on any IndexedDB.
 * @param makeEngine makes an empty one for each test
 */
export function describeStoreContract(name: string, makeEngine: () => Engine): void {
  describe(`store ${name}`, () => {
    describeIngest(makeEngine);
    describeClaims(makeEngine);
    describeSequences(makeEngine);
    describeMarks(makeEngine);
    describeReading(makeEngine);
    describeRetention(makeEngine);
    describeSearch(makeEngine);
    describeTables(makeEngine);
    describeWitnesses(makeEngine);
    describeDevices(makeEngine);
    describeProperties(makeEngine);
  });
}
