import fc from "fast-check";
import { expect, test } from "vitest";
import { parseFilter, type Filter, type FilterTerm } from "../../src/contract";
import type { ServerAddress } from "../../src/protocol";
import { inPlaces, placeTest, withoutPlaces } from "../../src/ui/state/navigation/places";
import { covered, feedQueryOf } from "../../src/ui/state/navigation/view";
import { ADDRESS, server, subscription } from "./fake-client";

const OTHER = "http://other.example:8080" as ServerAddress;
const servers = [server(), server({ serverId: 2, address: OTHER, name: "Mein Büro" })];
const backups = subscription({ subId: 1, topic: "backups", group: "Home" });
const door = subscription({ subId: 2, topic: "door", displayName: "Front Door", group: "Home" });
const ci = subscription({ subId: 3, serverId: 2, topic: "ci" });
const otherDoor = subscription({ subId: 4, serverId: 2, topic: "door" });
const all = [backups, door, ci, otherDoor];

function filterOf(text: string): Filter {
  const parsed = parseFilter(text);
  if (!parsed.ok) throw new Error(`${text}: ${parsed.error.reason}`);
  return parsed.value;
}
const ids = (text: string) => inPlaces(filterOf(text), servers, all).map(({ subId }) => subId);

test.each([
  ["", [1, 2, 3, 4]],
  ["disk priority:high", [1, 2, 3, 4]],
  ["topic:door", [2, 4]],
  ['topic:"front door"', [2]],
  ["topic:BACKUPS,ci", [1, 3]],
  ["-topic:door", [1, 3]],
  ["-topic:backups,ci", [2, 4]],
  ["topic:back", []],
  ['server:"mein buro"', [3, 4]],
  ['server:"MEIN BÜRO"', [3, 4]],
  ["server:other.example:8080", [3, 4]],
  ["server:http://other.example:8080", [3, 4]],
  ["group:home", [1, 2]],
  ["-group:home", [3, 4]],
  ["group:home topic:door", [2]],
  ["group:nowhere", []],
])("%j leaves the topics %j", (text, left) => expect(ids(text)).toEqual(left));

test("a filter's places become a choice of topics, and its other conditions apply to rows", () => {
  const filter = filterOf("topic:door disk");
  const view = { kind: "everything" } as const;
  const subIds = inPlaces(filter, servers, covered(view, servers, all)).map(({ subId }) => subId);
  const text = { kind: "text", text: "disk", not: false };
  expect(feedQueryOf(view, filter, subIds)).toEqual({ list: "feed", subIds: [2, 4], filter: { terms: [text] } });
  expect(feedQueryOf({ kind: "starred" }, filter, subIds)).toMatchObject({ list: "starred", subIds: [2, 4] });
  expect(feedQueryOf(view, filterOf("disk"), [1, 2, 3, 4])).toEqual({ list: "feed", filter: { terms: [text] } });
});

test("places narrow a view and never widen it", () => {
  const view = { kind: "server", server: ADDRESS } as const;
  expect(inPlaces(filterOf("topic:door,ci"), servers, covered(view, servers, all))).toEqual([door]);
});

test("excluded and included topics together are all topics, whatever is named", () => {
  const name = fc.oneof(fc.string({ minLength: 1 }), fc.constantFrom("door", "HOME", "__proto__", "constructor"));
  const kind = fc.constantFrom("topic" as const, "server" as const, "group" as const);
  fc.assert(
    fc.property(kind, fc.array(name, { minLength: 1, maxLength: 4 }), (kind, values) => {
      const term: FilterTerm = { kind, values, not: false };
      const left = inPlaces({ terms: [term] }, servers, all);
      const rest = inPlaces({ terms: [{ ...term, not: true }] }, servers, all);
      expect(new Set([...left, ...rest])).toEqual(new Set(all));
      expect(left.length + rest.length).toBe(all.length);
      expect(withoutPlaces({ terms: [term] })).toEqual({ terms: [] });
    }),
  );
});

test("a topic that is not subscribed answers to its own name and its server's address", () => {
  const passes = placeTest(filterOf("topic:news server:x.example"));
  expect(passes({ topic: "news" }, { address: "https://x.example" as ServerAddress })).toBe(true);
  expect(passes({ topic: "other" }, { address: "https://x.example" as ServerAddress })).toBe(false);
  expect(placeTest(filterOf("group:x"))({ topic: "news" }, { address: ADDRESS })).toBe(false);
});
