export { Hub } from "./hub";
export { leaseLeadership, lockLeadership, soleLeadership, type Leadership } from "./leadership";
export { SILENT_CHANNEL, type Channel, type Clock, type Fetch, type Surroundings, type Timer } from "./surroundings";
export type { Port } from "./tabs";
