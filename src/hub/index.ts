export { Hub } from "./hub";
export { leaseLeadership, lockLeadership, soleLeadership, type Leadership } from "./leadership";
export { SILENT_CHANNEL, type Channel, type Clock, type Fetch, type Environment, type Timer } from "./environment";
export type { Port } from "./tabs";
