/** One answered request, for a log: no query, as it may hold credentials and filters. */
export interface RequestEntry {
  method: string;
  /** Path without query. */
  path: string;
  /** 101 for a WebSocket. */
  status: number;
}

/** Takes the query off an address, so that it can be logged. */
export function pathOf(url: string | undefined): string {
  return (url ?? "").replace(/\?.*/s, "");
}
