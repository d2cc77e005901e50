import { beforeEach, expect, test, vi } from "vitest";
import type { RowTerm } from "../../src/contract";
import { markAllRead } from "../../src/ui/message/marks";
import { App } from "../../src/ui/state/app.svelte";
import type { FeedView } from "../../src/ui/state/navigation/view";
import { ADDRESS, catalogue, FakeClient, server, subscription } from "./fake-client";
import { stubPage } from "./stub-page";

let client: FakeClient;
let app: App;
const UNREAD: RowTerm = { kind: "is", what: "unread", not: false };
const URGENT: RowTerm = { kind: "priority", values: [5], not: false };
const EARLIER: RowTerm = { kind: "before", written: "today", not: false };

beforeEach(() => {
  stubPage();
  client = new FakeClient(
    catalogue({ servers: [server()], subscriptions: [subscription({ unread: 12 })], lastArrival: 40 }),
  );
  client.answers.mark = () => ({ ok: true, value: { count: 3, undo: "back" } });
  app = new App(client, client.tables, ADDRESS);
  return () => vi.unstubAllGlobals();
});

test.each<[FeedView, RowTerm[], string, RowTerm[]]>([
  [{ kind: "urgent" }, [], "feed", [URGENT]],
  [{ kind: "urgent" }, [EARLIER], "feed", [URGENT, EARLIER]],
  [{ kind: "everything" }, [EARLIER], "feed", [EARLIER]],
  [{ kind: "everything" }, [], "feed", []],
  [{ kind: "starred" }, [], "starred", []],
  [{ kind: "scheduled" }, [], "scheduled", []],
])("in %j with %j, just what the list holds is marked read", async (view, terms, list, asked) => {
  app.navigation.go(view, { terms });
  await markAllRead(app);
  const every = { list, filter: { terms: [...asked, UNREAD] }, upTo: 40 };
  expect(client.sent.filter(({ name }) => name.startsWith("mark"))).toEqual([
    { name: "mark", input: { every, except: [], mark: { kind: "read", on: true } } },
  ]);
  expect(app.notices.current?.text).toBe("3 messages marked read");
});

test("what is announced before the press is marked too, and nothing that arrives later", async () => {
  app.start();
  app.navigation.go({ kind: "urgent" });
  client.announce({
    kind: "rows",
    added: [],
    changed: [],
    removed: [],
    more: 0,
    counts: [],
    total: 41,
    lastArrival: 41,
  });
  await expect.poll(() => app.catalogue.tables.total).toBe(41);
  await markAllRead(app);
  expect(client.sent.at(-1)).toMatchObject({ name: "mark", input: { every: { upTo: 41 } } });
});
