// Reads server-sent events; loaded only where JSON lines don't get through, or when the user chose them.
export { SseFraming } from "../protocol";
