/** Why a try failed; the page has a text for each (docs/protocol.md §10). */
export type Failure =
  | { kind: "network" }
  | { kind: "silent" }
  | { kind: "ended" }
  | { kind: "http"; status: number; code?: number; text?: string }
  | { kind: "busy"; code: number }
  | { kind: "unauthorized"; code: number }
  /** `isSignedIn`: the credentials are right, but not for these topics. */
  | { kind: "forbidden"; code: number; topics: string[]; isSignedIn?: true }
  | { kind: "no-topic-server" }
  | { kind: "not-allowed-by-browser" }
  | { kind: "malformed"; text: string };
