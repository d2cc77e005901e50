export { Hub } from "./hub";
export { leaseLeadership, lockLeadership, soleLeadership, type Leadership } from "./leadership";
export type { Channel, Clock, Fetch, Surroundings, Timer } from "./surroundings";
export type { Port } from "./tabs";
