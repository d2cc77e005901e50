import { beforeEach, expect, test, vi } from "vitest";
import { App } from "../../src/ui/state/app.svelte";
import { openedText } from "../../src/ui/state/navigation/opened-link";
import { SubscribeForm } from "../../src/ui/topics/subscribe/subscribe-form.svelte";
import { ADDRESS, catalogue, FakeClient, server, subscription } from "./fake-client";
import { stubPage } from "./stub-page";

let client: FakeClient;
let app: App;
let form: SubscribeForm;

beforeEach(() => {
  stubPage();
  client = new FakeClient();
  client.answers.subscribe = ({ topics: [topic = ""] }) => {
    client.tables = catalogue({ servers: [server()], subscriptions: [subscription({ topic })] });
    return { ok: true, value: { subIds: [1] } };
  };
  app = new App(client, client.tables, ADDRESS);
  form = new SubscribeForm(app);
});

const sent = () => client.sent.filter(({ name }) => name === "subscribe").map(({ input }) => input);

test("the form subscribes on the default server, with history, and opens the topic", async () => {
  form.setTopic("backups");
  expect(await form.submit()).toBe(true);
  expect(sent()).toEqual([{ address: ADDRESS, topics: ["backups"], history: "all" }]);
  expect(app.navigation.view).toEqual({ kind: "topics", server: ADDRESS, topics: ["backups"] });
  expect(app.pane.unsubscribed).toEqual([]);
});

test("a form that is open while the host's file is read asks the server that it names, unless another was typed", async () => {
  const home = "https://topics.example" as typeof ADDRESS;
  const typed = new SubscribeForm(app);
  client.answers.readHost = () => ({ ok: true, value: { host: { home, config: {} } } as never });
  const style = { setProperty: () => undefined };
  vi.stubGlobal("document", { querySelector: () => null, documentElement: { style } });
  const followed = [form.followHost(), typed.followHost()];
  typed.setServer("https://ntfy.other.example");
  const pasted = new SubscribeForm(app);
  const third = pasted.followHost();
  pasted.setTopic(`${pasted.server}/backups`);
  const was = pasted.server;
  followed.push(third);
  await Promise.all(followed);
  expect([pasted.topic, pasted.server]).toEqual(["backups", was]);
  expect([form.server, typed.server]).toEqual([home, "https://ntfy.other.example"]);
});

test("closing the form ends what it was doing", async () => {
  const { view } = app.navigation;
  form.setTopic("https://slow.example/backups");
  const submitted = form.submit();
  form.isLeft = true;
  expect(await submitted).toBe(false);
  expect([sent(), app.navigation.view]).toEqual([[], view]);
});

test("a name is checked while it is typed, but an empty field is not an error yet", () => {
  expect(form.faults).toEqual({});
  form.setTopic("größe");
  expect(form.faults.topic).toContain("not ö");
  form.setTopic("backups");
  expect(form.faults).toEqual({});
});

test("characters that nobody sees are left out of a pasted name or address", async () => {
  form.setTopic("\u200Bback\u00ADups\u200E, \u202Aalerts\u202C");
  expect(form.faults).toEqual({});
  expect(form.names).toEqual(["backups", "alerts"]);
  form.setTopic("https://ntfy.other.example/alerts\u200B");
  expect([form.topic, form.server]).toEqual(["alerts", "https://ntfy.other.example"]);
});

test("nothing is sent while something is wrong with a field", async () => {
  form.setServer("ftp://x");
  expect(await form.submit()).toBe(false);
  expect(form.faults.topic).toBeDefined();
  expect(form.faults.server).toBeDefined();
  expect(client.sent).toEqual([]);
});

test("a pasted link fills the server's field too", () => {
  form.setTopic("https://ntfy.other.example/alerts");
  expect(form.topic).toBe("alerts");
  expect(form.server).toBe("https://ntfy.other.example");
});

test("a pasted curl command fills both fields, also one of several lines", () => {
  form.setTopic("curl -d 'It works' https://ntfy.other.example/alerts");
  expect([form.topic, form.server]).toEqual(["alerts", "https://ntfy.other.example"]);
  const field = { value: "", selectionStart: 0, selectionEnd: 0 };
  const text = "curl \\\n  -H 'Title: a, b' \\\n  http://box:8080/disk\n";
  const clipboardData = { getData: () => text };
  form.paste({ currentTarget: field, clipboardData, preventDefault: () => {} } as never);
  expect([form.topic, form.server]).toEqual(["disk", "http://box:8080"]);
  form.setTopic("curl -u ada:s3cret https://ntfy.other.example/alerts");
  expect(form.faults.topic).toMatch(/^Leave user and password out/);
});

test("an address without a topic is said to have none", () => {
  form.setTopic("https://ntfy.other.example");
  expect(form.faults.topic).toMatch(/^This names no topic\./);
});

test("the name in a pasted link is shown, and is that of the topic", async () => {
  client.answers.patchSubscription = () => ({ ok: true, value: null });
  const patched = () => client.sent.filter(({ name }) => name === "patchSubscription").map(({ input }) => input);
  form.setTopic("https://app.example/#/~open/%23%2Fntfy.other.example%2Falerts%3Flabel%3DNight%2520watch");
  expect([form.topic, form.server]).toEqual(["alerts", "https://ntfy.other.example"]);
  expect(form.label).toBe("Night watch");
  expect(await form.submit()).toBe(true);
  expect(patched()).toEqual([{ subId: 1, patch: { displayName: "Night watch" } }]);
  form.setTopic("ntfy://ntfy.other.example/alerts?display=Day");
  expect(form.label).toBe("Day");
  form.setTopic("others");
  expect(form.label, "another topic is not meant").toBeUndefined();
  expect(await form.submit()).toBe(true);
  expect(patched()).toHaveLength(1);
});

test("a pasted link with a sign-in opens as if it was followed, and is in no address", () => {
  app.dialogs.open({ kind: "add-topic" });
  form.setTopic(" https://app.example/x/#/~open/access:H4sIAAAA_-0\n");
  expect(app.navigation.view.kind).toBe("open-link");
  expect(app.dialogs.current).toBeUndefined();
  expect(location.href).toBe("https://app.example/#/~open");
  expect(openedText.take()).toBe("access:H4sIAAAA_-0");
  expect(form.topic).toBe("");
});

test("a pasted invitation of devices opens as if it was followed", () => {
  app.dialogs.open({ kind: "add-topic" });
  form.setTopic(`https://app.example/x/#/~open/${encodeURIComponent("devices:secret.key.time.https://box.example")}`);
  expect([app.navigation.view.kind, app.dialogs.current]).toEqual(["open-link", undefined]);
  expect(openedText.take()).toBe("devices:secret.key.time.https://box.example");
  expect(form.topic).toBe("");
});

test("the filter of a pasted link is that of the feed that opens", async () => {
  form.setTopic("https://app.example/#/ntfy.other.example/alerts?priority=high");
  expect(await form.submit()).toBe(true);
  expect(app.navigation.view).toEqual({ kind: "topics", server: "https://ntfy.other.example", topics: ["alerts"] });
  expect(app.navigation.filter.terms).toEqual([{ not: false, kind: "priority", values: [4] }]);
  form.setTopic("https://app.example/#/ntfy.other.example/alerts?priority=high");
  form.setTopic("others");
  expect(await form.submit()).toBe(true);
  expect(app.navigation.filter.terms).toEqual([]);
});

test("an address that is no topic server is reported beside it, and nothing is stored", async () => {
  client.probed = "not-a-topic-server";
  form.setTopic("backups");
  expect(await form.submit()).toBe(false);
  expect(form.faults.server).toContain("not a topic server");
  expect(sent()).toEqual([]);
});

test("a known server is not probed again", async () => {
  client.probed = "unreachable";
  app.catalogue.applyOptimistically(catalogue({ servers: [server()] }));
  form.setTopic("backups");
  expect(await form.submit()).toBe(true);
});

test("a topic that exists already is opened", async () => {
  client.answers.subscribe = () => ({ ok: false, error: { kind: "duplicate", subId: 1 } });
  form.setTopic("backups");
  expect(await form.submit()).toBe(true);
  expect(app.notices.current?.text).toContain("already");
  expect(app.navigation.view).toMatchObject({ topics: ["backups"] });
});

test("a refusal opens the fields for user and password", async () => {
  client.answers.subscribe = () => ({
    ok: false,
    error: { kind: "failed", why: { kind: "forbidden", code: 40301, topics: ["backups"] } },
  });
  form.setTopic("backups");
  expect(await form.submit()).toBe(false);
  expect(form.faults.credentials).toContain("sign-in");
  expect(form.credentials.way).toBe("basic");
});

test("a topic on a server with a sign-in uses it, unless the user chooses otherwise", async () => {
  const credentials = { kind: "basic", user: "ada", password: "s3cret" } as const;
  app.catalogue.applyOptimistically(
    catalogue({ servers: [server()], accounts: [{ accountId: 5, serverId: 1, credentials }] }),
  );
  form.setServer(ADDRESS);
  expect(form.known).toBe("ada");
  form.setTopic("backups");
  await form.submit();
  expect(sent()).toMatchObject([{ credentials }]);
});

test("a random name can't be guessed and is a valid one", () => {
  form.setRandom();
  expect(form.faults).toEqual({});
  expect(form.topic.length).toBeGreaterThanOrEqual(16);
});

test("pressing twice subscribes once", async () => {
  const probe = vi.spyOn(client, "probe");
  form.setTopic("backups");
  await Promise.all([form.submit(), form.submit()]);
  expect(probe).toHaveBeenCalledOnce();
  expect(sent()).toHaveLength(1);
});

test("several names are added at once, separated by commas or line breaks, each once", async () => {
  form.setTopic("a, b\nc,d,,a");
  expect(form.faults).toEqual({});
  expect(await form.submit()).toBe(true);
  expect(sent()).toEqual([{ address: ADDRESS, topics: ["a", "b", "c", "d"], history: "all" }]);
  expect(app.navigation.view).toEqual({ kind: "topics", server: ADDRESS, topics: ["a", "b", "c", "d"] });
});

test("wrong names are listed, and nothing is sent before they are corrected", async () => {
  form.setTopic("a, größe, docs http://");
  expect(form.faults.topic).toMatch(/^größe: .*not ö\. docs: .*name docs\. http:\/\/: .+/);
  expect(await form.submit()).toBe(false);
  expect(client.sent).toEqual([]);
});

test("pasted addresses of one server fill the server's field, and those of several go to each server", async () => {
  form.setTopic("https://one.example/a,b https://one.example/c");
  expect([form.topic, form.server]).toEqual(["a, b, c", "https://one.example"]);
  form.setServer(ADDRESS);
  form.setTopic("own, https://one.example/a, ntfy://two.example/b");
  expect(await form.submit()).toBe(true);
  expect(sent()).toEqual([
    { address: ADDRESS, topics: ["own"], history: "all" },
    { address: "https://one.example", topics: ["a"], history: "all" },
    { address: "https://two.example", topics: ["b"], history: "all" },
  ]);
  expect(app.navigation.view).toEqual({ kind: "everything" });
});

test("credentials typed for one server are sent to no other", async () => {
  form.credentials.way = "token";
  form.credentials.token = "tk_secret";
  form.setTopic("own https://one.example/a");
  await form.submit();
  expect(sent().map((input) => "credentials" in (input as object))).toEqual([true, false]);
});

test("if one of several servers refuses, its topics stay in the fields, each with the reason", async () => {
  const subscribed = client.answers.subscribe;
  client.answers.subscribe = (input) =>
    input.address === ADDRESS && subscribed
      ? subscribed(input)
      : { ok: false, error: { kind: "failed", why: { kind: "forbidden", code: 40301, topics: ["a"] } } };
  form.setTopic("own https://one.example/a https://two.example/b");
  expect(await form.submit()).toBe(false);
  expect([form.topic, form.server]).toEqual(["a, https://two.example/b", "https://one.example"]);
  expect(form.faults.topic).toMatch(/^a: /);
  expect(form.faults.credentials).toBeDefined();
});

test("a private address without a scheme is tried by http where https fails", async () => {
  client.probedAt.set("https://nas.local:8080", "unreachable");
  form.setServer("nas.local:8080");
  form.setTopic("backups");
  expect(await form.submit()).toBe(true);
  expect(form.server).toBe("http://nas.local:8080");
  expect(sent()).toEqual([{ address: "http://nas.local:8080", topics: ["backups"], history: "all" }]);
  expect(app.navigation.view).toMatchObject({ server: "http://nas.local:8080" });
});

test("so is one entered with the topic", async () => {
  client.probedAt.set("https://nas", "not-a-topic-server");
  form.setTopic("nas/backups");
  expect([form.topic, form.server]).toEqual(["backups", "nas"]);
  expect(await form.submit()).toBe(true);
  expect(sent()).toMatchObject([{ address: "http://nas" }]);
});

test.each(["https://nas.local", "ntfy.public.example"])("%s is never tried by http", async (typed) => {
  const probe = vi.spyOn(client, "probe");
  client.probed = "unreachable";
  form.setServer(typed);
  form.setTopic("backups");
  expect(await form.submit()).toBe(false);
  expect(form.faults.server).toBeDefined();
  expect(probe).toHaveBeenCalledOnce();
});

test("a password goes over http only once the user has seen that", async () => {
  client.probedAt.set("https://nas.local", "unreachable");
  form.setServer("nas.local");
  form.setTopic("backups");
  form.credentials.way = "token";
  form.credentials.token = "tk_secret";
  expect(await form.submit()).toBe(false);
  expect(form.faults.server).toContain("unencrypted");
  expect(form.server).toBe("http://nas.local");
  expect(sent()).toEqual([]);
  expect(await form.submit()).toBe(true);
  expect(sent()).toMatchObject([{ address: "http://nas.local", credentials: { token: "tk_secret" } }]);
});

test("the foot of the form shows the errors of the last press, not those found while typing", async () => {
  form.setTopic("größe");
  expect(form.faultText).toBeUndefined();
  form.setTopic("secret");
  client.answers.subscribe = () => ({ ok: false, error: { kind: "failed", why: { kind: "unauthorized", code: 401 } } });
  expect(await form.submit()).toBe(false);
  expect(form.faultText).toContain("rejected the password or token");
  form.setTopic("other");
  expect(form.faultText).toBeUndefined();
});
