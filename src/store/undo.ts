/** How long a deleted message or removed subscription can be restored, ms: longer than any Undo is offered. */
export const DELETE_UNDO_MS = 60_000;
