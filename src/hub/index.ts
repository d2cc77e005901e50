export { Hub } from "./hub";
export { lockLeadership, soleLeadership, type Leadership } from "./leadership";
export { leaseLeadership, type LeaseEnvironment } from "./lease-leadership";
export { loadLeaseLeadership } from "./load-lease-leadership";
export { SILENT_CHANNEL, type Channel, type Clock, type Fetch, type Environment, type Timer } from "./environment";
export type { Port } from "./tabs";
export { changePush, receivePush, showUnstored } from "./push/receive-push";
export { markPressed } from "./push/mark-pressed";
export type { PushPlace } from "./push/push-place";
