import type { StoredMessage } from "../contract";

/** Why the store couldn't do something. `text` is the browser's own wording, for the details. */
export type StoreError =
  /** There is no database: the browser has none, or refuses to open one (private window, corruption). */
  | { kind: "unavailable"; text: string }
  /** The database was made by a newer version of the app, and is left as it is. */
  | { kind: "newer-version"; text: string }
  /** The disk, or this site's share of it, is full. Nothing of the change was written. */
  | { kind: "quota"; text: string }
  /** Anything else that the database reported. Nothing of the change was written. */
  | { kind: "failed"; text: string };

/** Why a batch wasn't stored, with the rows that it would have added, if they are known. */
export type IngestError = StoreError & { unstored?: StoredMessage[] };

/** Carries a `StoreError` where a promise can only be rejected, in the methods of `Reader`. */
export class StoreFailure extends Error {
  override readonly name = "StoreFailure";

  constructor(readonly error: StoreError) {
    super(`${error.kind}: ${error.text}`);
  }
}

/** Recognised by its name: an engine may run this file twice, which makes two classes. */
export function isStoreFailure(thrown: unknown): thrown is StoreFailure {
  return thrown instanceof Error && thrown.name === "StoreFailure";
}

/** Translates what the database threw; `undefined` for anything else, which is a bug and must be rethrown. */
export function storeErrorOf(thrown: unknown): StoreError | undefined {
  if (isStoreFailure(thrown)) return thrown.error;
  if (!(thrown instanceof DOMException)) return undefined;
  const text = `${thrown.name}: ${thrown.message}`;
  switch (thrown.name) {
    case "QuotaExceededError":
      return { kind: "quota", text };
    case "VersionError":
      return { kind: "newer-version", text };
    // The connection was closed, by a newer version or by the browser; a private window refuses with one of these too.
    case "InvalidStateError":
    case "SecurityError":
    case "NotFoundError":
      return { kind: "unavailable", text };
    default:
      return { kind: "failed", text };
  }
}
