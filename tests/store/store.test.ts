import { memoryEngine } from "./memory-engine";
import { describeStoreContract } from "./store-contract";

describeStoreContract("in memory", memoryEngine);
