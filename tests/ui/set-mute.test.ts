import { beforeEach, expect, test, vi } from "vitest";
import { NIGHT, putBack } from "../../src/ui/alerts/quiet-hours";
import { muteAll, setMute, mutedText } from "../../src/ui/alerts/mute";
import { App } from "../../src/ui/state/app.svelte";
import { ADDRESS, catalogue, FakeClient, server, subscription } from "./fake-client";
import { stubPage } from "./stub-page";

const NOW = new Date(2026, 10, 21, 12, 0).getTime();
const HOUR_MS = 3_600_000;

let client: FakeClient;
let app: App;

beforeEach(() => {
  stubPage();
  vi.useFakeTimers({ now: NOW, toFake: ["Date"] });
  client = new FakeClient();
  return () => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  };
});

function start(mutedUntilMs?: number): void {
  const topic = subscription({ topic: "nas", ...(mutedUntilMs !== undefined && { mutedUntilMs }) });
  client.tables = catalogue({ servers: [server()], subscriptions: [topic] });
  app = new App(client, client.tables, ADDRESS);
}
const patches = () => client.sent.filter(({ name }) => name === "patchSubscription").map(({ input }) => input);

test("a mute says when it ends, and one for good names no end", async () => {
  start();
  await setMute(app, 1, NOW + 2 * HOUR_MS);
  expect(app.notices.current?.text).toBe("nas muted until 14:00");
  await setMute(app, 1, Infinity);
  expect(app.notices.current?.text).toBe("nas muted");
  await setMute(app, 1, null);
  expect(app.notices.current?.text).toBe("nas is no longer muted");
  expect(mutedText(NOW + 2 * HOUR_MS, NOW)).toBe("Muted until 14:00");
  expect(mutedText(Infinity, NOW)).toBe("Muted");
});

test.each([
  ["a running mute", NOW + HOUR_MS, NOW + HOUR_MS],
  ["a mute for good", Infinity, Infinity],
  ["one that is over", NOW - HOUR_MS, null],
  ["none", undefined, null],
])("undo brings back %s", async (_, before, after) => {
  start(before);
  await setMute(app, 1, NOW + 2 * HOUR_MS);
  app.notices.answer();
  expect(patches().at(-1)).toEqual({ subId: 1, patch: { mutedUntilMs: after } });
});

test("muting everything is undone in the same way", async () => {
  start();
  app.catalogue.applyOptimistically({
    settings: { ...app.catalogue.settings, alertRules: { mutedUntilMs: NOW + HOUR_MS } },
  });
  await muteAll(app, Infinity);
  expect(app.notices.current?.text).toBe("Everything is muted");
  app.notices.answer();
  await expect.poll(() => app.catalogue.settings.alertRules).toMatchObject({ mutedUntilMs: NOW + HOUR_MS });
});

test("a removed quiet time is put back into what is stored by then, if anything is", async () => {
  start();
  client.answers.patchSubscription = () => ({ ok: true, value: null });
  client.answers.setSetting = () => ({ ok: true, value: null });
  const [morning, noon] = [
    { ...NIGHT, from: "06:00", to: "08:00" },
    { ...NIGHT, from: "12:00", to: "13:00" },
  ];
  await putBack(app, 1, NIGHT, 1);
  await putBack(app, 1, NIGHT);
  expect(client.sent, "what is quiet everywhere counts again").toEqual([]);
  const hours = { on: true, urgentAlerts: false, spans: [morning, noon] };
  app.catalogue.applyOptimistically({
    subscriptions: app.catalogue.subscriptions.map((one) => ({ ...one, quietHours: hours })),
    settings: { ...app.catalogue.settings, alertRules: { repeatUrgent: true, quietHours: { ...hours, on: false } } },
  });
  await putBack(app, 1, NIGHT, 1);
  expect(patches()).toEqual([{ subId: 1, patch: { quietHours: { ...hours, spans: [morning, NIGHT, noon] } } }]);
  await putBack(app, 5, NIGHT);
  expect(app.catalogue.settings.alertRules).toMatchObject({
    repeatUrgent: true,
    quietHours: { on: false, spans: [morning, noon, NIGHT] },
  });
});
