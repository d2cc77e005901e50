export { startAlerts, testAlert } from "./alerts.svelte";
export { askPermission, permission, type Permission } from "./permission.svelte";
