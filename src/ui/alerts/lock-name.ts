/**
 * Name of the lock to hold while showing or listing notifications: if any tab lists them while one is being shown,
 * Chromium loses track of that one, so a press on it does nothing and no code can close it.
 */
export const LOCK_NAME = "earshot notifications";
