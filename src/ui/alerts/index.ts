export { startAlerts, testAlert } from "./alerts.svelte";
export { pushesOf, pushHindrance, TEST_WITHIN_MS, type PushTrouble } from "./push.svelte";
export { askPermission, permission, type Permission } from "./permission.svelte";
