import type { Commands } from "../../src/contract";
import { rowFilter } from "../contract/filter/row-filter";

/** What marks read everything in the feed of some topics. */
export function markingAll(subIds: number[]): Commands["mark"]["input"] {
  const every = { list: "feed", subIds, filter: rowFilter("is:unread"), upTo: Infinity } as const;
  return { every, except: [], mark: { kind: "read", on: true } };
}
