// What receiving needs only when something is unusual: a server is gone, refuses topics, lets no JSON stream through, may
// have lost its cache, or has many topics. It is one file, loaded as a whole before it is needed, as the host that is gone
// may be the one that serves it (`load-when-needed.ts`).
export { SseFraming } from "../protocol";
export { readCacheProof } from "./cache-proof";
export { ExtraStreams } from "./extra-streams";
export { InSight } from "./in-sight";
export { letBackIn, markRefused, newlyRefused } from "./mark-refused";
export { OrderQuestions } from "./order-questions";
export { receiveByWebSocket } from "./receive-by-web-socket";
export { refresh } from "./refresh";
