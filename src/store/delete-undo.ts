/** How long the deletion of a message or topic can be undone, ms. Every Undo button disappears sooner. */
export const DELETE_UNDO_MS = 60_000;
