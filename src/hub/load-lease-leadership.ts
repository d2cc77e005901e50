/** Loads what only hubs without locks need (plain http). */
export const loadLeaseLeadership = () => import("./lease-leadership");
