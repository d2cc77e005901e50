import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  formatLink,
  OWN_VIEWS,
  parseLink,
  formatSharedLink,
  type FilterTerm,
  type ViewTarget,
  type AppLink,
} from "../../../src/contract";
import type { ServerAddress } from "../../../src/protocol";
import { anyFilter } from "../filter/arbitrary-filter";

const HOME = "https://push.example" as ServerAddress;
const address = (text: string) => text as ServerAddress;
const view = (scope: ViewTarget, ...terms: FilterTerm[]): AppLink => ({ scope, filter: { terms } });
const home = (...topics: string[]): ViewTarget => ({ kind: "topics", address: HOME, topics });
const no = { not: false } as const;

describe("links", () => {
  it.each<[string, AppLink]>([
    ["#/", view({ kind: "everything" })],
    ["#/disk", view(home("disk"))],
    ["#/disk,door", view(home("disk", "door"))],
    ["#/ntfy.sh/disk", view({ kind: "topics", address: address("https://ntfy.sh"), topics: ["disk"] })],
    ["#/box:8443/push/disk", view({ kind: "topics", address: address("https://box:8443/push"), topics: ["disk"] })],
    ["#/http:box:8080/disk", view({ kind: "topics", address: address("http://box:8080"), topics: ["disk"] })],
    ["#/http:[::1]:8080/disk", view({ kind: "topics", address: address("http://[::1]:8080"), topics: ["disk"] })],
    ["#/~starred", view({ kind: "own", name: "starred" })],
    ["#/~view/12/my%20view", view({ kind: "own", name: "view", rest: "12/my view" })],
    ["#/~server/ntfy.sh", view({ kind: "server", address: address("https://ntfy.sh") })],
    ["#/~server/http:box:8080/push", view({ kind: "server", address: address("http://box:8080/push") })],
    [
      "#/disk?priority=high,urgent&tags=a,b&title=T&message=50%25%20%26%20more&id=x",
      view(
        home("disk"),
        { ...no, kind: "priority", values: [4, 5] },
        { ...no, kind: "tags", values: ["a", "b"] },
        { ...no, kind: "equals", field: "title", text: "T" },
        { ...no, kind: "equals", field: "message", text: "50% & more" },
        { ...no, kind: "equals", field: "id", text: "x" },
      ),
    ],
    [
      "#/disk?tags=a&q=-tag:b%20title:x%20is:unread%20%22disk%20full%22",
      view(
        home("disk"),
        { ...no, kind: "tags", values: ["a"] },
        { not: true, kind: "tags", values: ["b"] },
        { ...no, kind: "contains", field: "title", text: "x" },
        { ...no, kind: "is", what: "unread" },
        { ...no, kind: "text", text: "disk full" },
      ),
    ],
    ["#/disk?id=abc&at=1760000000", { ...view(home("disk")), message: { id: "abc", at: 1_760_000_000 } }],
    ["#/~starred?priority=urgent", view({ kind: "own", name: "starred" }, { ...no, kind: "priority", values: [5] })],
  ])("%s opens exactly this view, and is how it is written", (link, opened) => {
    expect(parseLink(link, HOME)).toEqual({ ok: true, value: opened });
    expect(formatLink(opened, HOME)).toBe(link);
  });

  it.each([
    ["", "#/"],
    ["#", "#/"],
    ["/disk", "#/disk"],
    ["#/disk/", "#/disk"],
    ["#/disk,disk", "#/disk"],
    ["#/disk%2Cdoor", "#/disk,door"],
    ["#/%7Estarred", "#/~starred"],
    ["#/PUSH.example/disk", "#/disk"],
    ["#/https://ntfy.sh/disk", "#/ntfy.sh/disk"],
    ["#/http://box/disk", "#/http:box/disk"],
    ["#/disk?priority=5,4", "#/disk?priority=urgent,high"],
    ["#/disk?q=a+b", "#/disk?q=a%20b"],
    ["#/disk?priority=&tags=&q=", "#/disk"],
  ])("reads %j like %s", (written, usual) => {
    const parsed = parseLink(written, HOME);
    expect(parsed.ok && formatLink(parsed.value, HOME)).toBe(usual);
  });

  it.each([
    ["#disk", { kind: "not-a-link" }],
    ["javascript:alert(1)", { kind: "not-a-link" }],
    ["#/a?b#/c", { kind: "parameter", name: "b#/c" }],
    ["#/with%20blank", { kind: "topic", topic: "with blank", error: { kind: "bad-character", character: " ", at: 4 } }],
    ["#/a,,b", { kind: "topic", topic: "", error: { kind: "empty" } }],
    ["#/settings", { kind: "topic", topic: "settings", error: { kind: "reserved", name: "settings" } }],
    ["#/javascript:alert(1)/disk", { kind: "address", text: "javascript:alert(1)", error: "not-an-address" }],
    [`#/${"a".repeat(65)}`, { kind: "topic", topic: "a".repeat(65), error: { kind: "too-long", length: 65 } }],
    ["#/<script>", { kind: "topic", topic: "<script>", error: { kind: "bad-character", character: "<", at: 0 } }],
    ["#/%zz", { kind: "encoding" }],
    ["#/%ff", { kind: "encoding" }],
    ["#/ntfy.sh", { kind: "no-topic" }],
    ["#/http:box", { kind: "no-topic" }],
    ["#/ntfy.sh/", { kind: "no-topic" }],
    ["#/ada:s3cret@ntfy.sh/disk", { kind: "credentials" }],
    ["#/disk?auth=QmFzaWM", { kind: "credentials" }],
    ["#/disk?AUTHORIZATION=x", { kind: "credentials" }],
    ["#/disk?token=tk_x", { kind: "credentials" }],
    ["#/ftp:box/disk", { kind: "address", text: "ftp:box", error: "not-an-address" }],
    ["#//disk", { kind: "address", text: "", error: "empty" }],
    ["#/~server/", { kind: "address", text: "", error: "empty" }],
    ["#/~nothing", { kind: "unknown-view", name: "nothing" }],
    ["#/~constructor", { kind: "unknown-view", name: "constructor" }],
    ["#/disk?colour=red", { kind: "parameter", name: "colour" }],
    ["#/disk?q=a&q=b", { kind: "parameter", name: "q" }],
    ["#/disk?__proto__=x", { kind: "parameter", name: "__proto__" }],
    ["#/disk?at=5", { kind: "message" }],
    ["#/disk?id=x&at=soon", { kind: "message" }],
    ["#/disk?id=x&at=-1", { kind: "message" }],
    ["#/disk?priority=hihg", { kind: "filter", text: "hihg", error: { at: 0, length: 4, reason: "bad-priority" } }],
    ["#/disk?q=tag%3A", { kind: "filter", text: "tag:", error: { at: 4, length: 0, reason: "empty-value" } }],
    [`#/${"a".repeat(20_000)}`, { kind: "too-long" }],
  ])("refuses %j whole", (link, error) => {
    expect(parseLink(link, HOME)).toEqual({ ok: false, error });
  });

  it("that name no server need a default one", () => {
    expect(parseLink("#/disk", undefined)).toEqual({ ok: false, error: { kind: "no-default-server" } });
    expect(parseLink("#/ntfy.sh/disk", undefined).ok).toBe(true);
    expect(parseLink("#/", undefined).ok).toBe(true);
  });

  it("name the server wherever it is not the default one", () => {
    expect(formatLink(view(home("disk")), undefined)).toBe("#/push.example/disk");
    expect(formatLink(view(home("disk")), address("http://push.example"))).toBe("#/push.example/disk");
  });

  it("keep conditions without a name in the protocol in q", () => {
    const terms: FilterTerm[] = [
      { ...no, kind: "tags", values: ["a,b"] },
      { ...no, kind: "equals", field: "title", text: "one" },
      { ...no, kind: "equals", field: "title", text: "two" },
      { ...no, kind: "equals", field: "id", text: "y" },
    ];
    const both = { ...view(home("disk"), ...terms), message: { id: "x", at: 5 } };
    expect(formatLink(both, HOME)).toBe(
      `#/disk?title=one&id=x&at=5&q=${encodeURIComponent('tag:"a,b" title="two" id="y"').replace("%2C", ",").replace("%3A", ":")}`,
    );
  });

  it("open the view that they were made from, on any device", () => {
    const anyAddress = fc.constantFrom(
      HOME,
      address("http://push.example"),
      address("https://box:8443/push/deep"),
      address("http://[::1]:8080"),
      address("https://http:8080"),
      address("http://https"),
    );
    const topics = fc.uniqueArray(fc.stringMatching(/^[-_A-Z0-9]{1,64}$/), { minLength: 1, maxLength: 4 });
    const rest = fc.string({ unit: fc.constantFrom("a", "/", "?", "#", "%", "ü", " ", "~", "&"), minLength: 1 });
    const scope: fc.Arbitrary<ViewTarget> = fc.oneof(
      fc.constant<ViewTarget>({ kind: "everything" }),
      fc.record({ kind: fc.constant("server" as const), address: anyAddress }),
      fc.record({ kind: fc.constant("topics" as const), address: anyAddress, topics }),
      fc.record(
        { kind: fc.constant("own" as const), name: fc.constantFrom(...OWN_VIEWS), rest },
        { requiredKeys: ["kind", "name"] },
      ),
    );
    const message = fc.record({ id: fc.string({ unit: "grapheme", minLength: 1 }), at: fc.nat() });
    const anyView = fc.record({ scope, filter: anyFilter, message }, { requiredKeys: ["scope", "filter"] });
    fc.assert(
      fc.property(anyView, fc.constantFrom(HOME, undefined), (made, defaultAddress) => {
        const link = formatLink(made, defaultAddress);
        const opened = parseLink(link, defaultAddress);
        if (!opened.ok) throw new Error(`${link}: ${opened.error.kind}`);
        expect(opened.value.scope).toEqual(made.scope);
        expect(opened.value.message).toEqual(made.message);
        // Terms with the protocol's names come first, but none is lost or added.
        const sorted = (terms: readonly FilterTerm[]) =>
          terms.map((term) => JSON.stringify(Object.entries(term).sort())).sort();
        expect(sorted(opened.value.filter.terms)).toEqual(sorted(made.filter.terms));
        expect(formatLink(opened.value, defaultAddress)).toBe(link);
        // An address bar keeps the whole link unchanged.
        expect(new URL(link, "https://app.example/").hash).toBe(link);
      }),
      { numRuns: 1_000 },
    );
  });

  it("never throw, and hold no credentials, whatever they are", () => {
    const unit = fc.constantFrom(
      "/",
      "#",
      "?",
      "&",
      "=",
      "%",
      "%2",
      "%41",
      "~",
      "a",
      ":",
      "@",
      "http:",
      "id",
      "at",
      "q",
      '"',
      "\ud800",
    );
    fc.assert(
      fc.property(fc.string({ unit }), (text) => {
        const parsed = parseLink(`#/${text}`, HOME);
        if (parsed.ok) expect(parseLink(formatLink(parsed.value, HOME), HOME).ok).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("a link to share", () => {
  it("is the app's own address with the view, and nothing else of the current one", () => {
    expect(
      formatSharedLink(view(home("disk")), "https://app.example/earshot/index.html?share=x#/~settings", HOME),
    ).toBe("https://app.example/earshot/index.html#/disk");
  });
});
