export { Hub } from "./hub";
export { hearTold } from "./devices/hear-told";
export { SILENT_CHANNEL, type Channel, type Clock, type Fetch, type Environment, type Timer } from "./environment";
export type { Port } from "./tabs";
export { changePush, receivePush, showUnstored } from "./push/receive-push";
export { receiveInBackground } from "./push/push-poll";
export { markPressed } from "./push/push-notifications";
export type { PushWorker } from "./push/push-worker";
