/** How long a deleted message or removed subscription can be brought back, ms: longer than any offer of undo stands. */
export const DELETE_UNDO_MS = 60_000;
