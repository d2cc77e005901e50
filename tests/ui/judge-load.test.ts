import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { parseServerAddress, type ServerAddress } from "../../src/protocol";
import { isFileOf } from "../../src/contract";
import { judgeLoad, type LoadPast, type LoadPlace } from "../../src/ui/message/attachment/judge-load";

const SERVER = "https://ntfy.example" as ServerAddress;
const OTHER = "http://other.example:8080/base" as ServerAddress;
const APP = "https://app.example";

test("extra headers go with the server's own files alone, whether they are pressed or not", () => {
  const headers = { "X-Key": "abc" };
  const at = place({ headers, unasked: "all", servers: [SERVER, OTHER] });
  const source = (text: string, past: LoadPast) => {
    const verdict = judgeLoad(text, at, past);
    return verdict.kind === "load" ? verdict.source : undefined;
  };
  for (const past of ["untried", "pressed"] as const) {
    expect(source(`${SERVER}/file/a.png`, past)).toMatchObject({ by: "fetch", headers });
    expect(source(`${OTHER}/file/a.png`, past)).not.toHaveProperty("headers");
    expect(source("https://else.example/a.png", past)).not.toHaveProperty("headers");
  }
  expect(source(`${SERVER}/other`, "pressed")).not.toHaveProperty("headers");
});

const place = (part: Partial<LoadPlace> = {}): LoadPlace => ({
  address: SERVER,
  unasked: "files",
  servers: [SERVER, OTHER],
  appOrigin: APP,
  ...part,
});

describe("an uploaded file of a server", () => {
  it.each([
    [SERVER, "https://ntfy.example/file/aB3-_x9"],
    [SERVER, "https://ntfy.example/file/aB3.png"],
    [SERVER, "HTTPS://NTFY.example:443/file/aB3.png"],
    [OTHER, "http://other.example:8080/base/file/aB3.jpeg"],
    ["http://[::1]:8080" as ServerAddress, "http://[::1]:8080/file/aB3.png"],
    [SERVER, "https://ntfy.example/file/published.png"],
  ])("of %s is %s", (server, text) => expect(isFileOf(text, server)).toBe(true));

  it.each([
    ...[
      "",
      "/",
      "/a/b.png",
      "/a.png.exe",
      "/a.png/",
      "/a.png?",
      "/a.png?auth=x",
      "/a.png#",
      "/a.png#x",
      "/.png",
      "/a.",
    ],
    ...[
      "/a/../b.png",
      "/../file/a.png",
      "/./a.png",
      "/%2e%2e/b",
      "/..%2fb",
      "/a%2fb",
      "/a%2epng",
      "/a%00.png",
      "//a.png",
    ],
    ...["\\a.png", "/..\\a.png", "/a.png\n", "/\ta.png", "/a .png", "/ä.png", `/${"a".repeat(65)}`],
    ...["/json", "/sse", "/ws", "/raw", "/auth", "/publish", "/send", "/trigger"],
  ])("is not /file%s", (rest) => expect(isFileOf(`https://ntfy.example/file${rest}`, SERVER)).toBe(false));

  it.each([
    "http://ntfy.example/file/a.png",
    "https://ntfy.example:444/file/a.png",
    "https://ntfy.example./file/a.png",
    "https://ntfy.example.evil.example/file/a.png",
    "https://evil.example/https://ntfy.example/file/a.png",
    "https://ntfy.example@evil.example/file/a.png",
    "https://ada@ntfy.example/file/a.png",
    "https://ada:s3cret@ntfy.example/file/a.png",
    "https:ntfy.example/file/a.png",
    "https:/ntfy.example/file/a.png",
    "https:\\\\ntfy.example\\file\\a.png",
    "https://ntfy.example\\file\\a.png",
    "//ntfy.example/file/a.png",
    "https://ntfy.example/base/file/a.png",
    "https://ntfy.example/base/../file/a.png",
    "https://ntfy.example//file/a.png",
    "https://ntfy.example/FILE/a.png",
    "https://ntfy.example/files/a.png",
    " https://ntfy.example/file/a.png",
    "https://ntfy.example/file/a.png\u0001",
    "data:image/png;base64,https://ntfy.example/file/a.png",
  ])("is not %s", (text) => expect(isFileOf(text, SERVER)).toBe(false));
});

/** Parts of addresses that try to look like other addresses. */
const PIECES = [
  ...[
    "https:",
    "HTTP:",
    "http:",
    "//",
    "/",
    "\\",
    "\\\\",
    "ntfy.example",
    "NTFY.example",
    "other.example",
    "app.example",
  ],
  ...[
    "evil.example",
    ".",
    "..",
    ":",
    ":443",
    ":80",
    ":8080",
    "@",
    "ada:s3cret@",
    "base",
    "file",
    "file/",
    "a",
    "aB3",
    ".png",
  ],
  ...[
    "%2f",
    "%2e",
    "%2e%2e",
    "%5c",
    "%00",
    "%",
    "?",
    "#",
    "auth",
    "auth=x",
    "publish",
    "?message=x",
    "json",
    "trigger",
  ],
  ...["\t", "\n", " ", "\u0000", "\u202e", "ä", "。", "／", "[::1]", "127.0.0.1", "0x7f.1", ";", "&", "~", "-"],
];
const hostileText = fc.oneof(
  { weight: 4, arbitrary: fc.array(fc.constantFrom(...PIECES), { maxLength: 12 }).map((pieces) => pieces.join("")) },
  {
    weight: 6,
    arbitrary: fc
      .tuple(
        fc.constantFrom(`${SERVER}/file/`, `${OTHER}/file/`, `${SERVER}/`, `${APP}/`, "https://evil.example/"),
        fc.array(fc.constantFrom(...PIECES), { maxLength: 6 }),
      )
      .map(([start, pieces]) => start + pieces.join("")),
  },
  { weight: 1, arbitrary: fc.webUrl({ withQueryParameters: true, withFragments: true }) },
);
const anyPlace = fc.record<LoadPlace>({
  address: fc.constantFrom(SERVER, OTHER, APP as ServerAddress),
  unasked: fc.constantFrom("nothing", "files", "all"),
  servers: fc.constantFrom([], [SERVER], [SERVER, OTHER], [APP as ServerAddress, OTHER]),
  appOrigin: fc.constant(APP),
});
const anyPast = fc.constantFrom<LoadPast>("untried", "pressed", "failed");

test("only the path of an uploaded file on its own server loads unasked as a file, without credentials", () => {
  fc.assert(
    fc.property(hostileText, anyPlace, anyPast, (text, at, past) => {
      const verdict = judgeLoad(text, at, past);
      if (verdict.kind !== "load" || verdict.why !== "file") return;
      const { href, by } = verdict.source;
      const url = new URL(href);
      expect(by).toBe("fetch");
      expect(past).toBe("untried");
      expect(at.unasked).not.toBe("nothing");
      expect([url.search, url.hash, url.username, url.password]).toEqual(["", "", "", ""]);
      expect(url.origin).toBe(new URL(at.address).origin);
      expect(href).toMatch(/\/file\/[-\w]{1,64}(\.[A-Za-z0-9]+)?$/);
      expect(href.slice(0, href.lastIndexOf("/file/"))).toBe(at.address);
      expect(text).not.toMatch(/[\\%@?#\s]|\/\.\.?(\/|$)/);
    }),
    { numRuns: 5_000 },
  );
});

test("without a press only files load, unless the topic is allowed, and then nothing that acts on a topic server", () => {
  const hosts = (at: LoadPlace) => [at.address, ...at.servers, at.appOrigin].map((server) => new URL(server).host);
  fc.assert(
    fc.property(hostileText, anyPlace, anyPast, (text, at, past) => {
      const verdict = judgeLoad(text, at, past);
      if (verdict.kind !== "load" || verdict.why === "file") return;
      const url = new URL(verdict.source.href);
      expect(url.protocol).toMatch(/^https?:$/);
      expect(verdict.why === "pressed").toBe(past === "pressed");
      if (past === "pressed") return;
      expect([at.unasked, past]).toEqual(["all", "untried"]);
      expect(url.username + url.password).toBe("");
      if (!hosts(at).includes(url.host.replace(/\.(?=:|$)/, ""))) return;
      if (at.servers.some((server) => isFileOf(text, server))) return;
      // An address with a query, or without a file ending, could be a request of the protocol, whose paths have no
      // dots.
      expect(url.search).toBe("");
      expect(url.pathname).toMatch(/\.[A-Za-z0-9]+$/);
      expect(url.pathname).not.toContain("%");
    }),
    { numRuns: 5_000 },
  );
});

test("addresses on the app's own origin that are no files never load with its cookies, pressed or allowed", () => {
  fc.assert(
    fc.property(hostileText, anyPlace, anyPast, (text, at, past) => {
      const verdict = judgeLoad(text, at, past);
      if (verdict.kind !== "load" || verdict.source.by === "fetch") return;
      if (new URL(verdict.source.href).origin === at.appOrigin) expect(isFileOf(text, at.address)).toBe(true);
    }),
    { numRuns: 5_000 },
  );
});

describe("an address in a message", () => {
  const kind = (text: string, part?: Partial<LoadPlace>, past: LoadPast = "untried") => {
    const verdict = judgeLoad(text, place(part), past);
    return verdict.kind === "load" ? `${verdict.why} by ${verdict.source.by}` : verdict.kind;
  };

  it("is a placeholder until it is pressed, unless it is a file on the message's own server", () => {
    expect(kind("https://ntfy.example/file/a.png")).toBe("file by fetch");
    expect(kind("https://ntfy.example/x/auth?auth=wrong")).toBe("ask");
    expect(kind("https://ntfy.example/b/publish?message=x")).toBe("ask");
    expect(kind("https://ntfy.example/static/a.png")).toBe("ask");
    expect(kind("https://elsewhere.example/a.png")).toBe("ask");
    expect(kind(`${OTHER}/file/a.png`), "of another server").toBe("ask");
    expect(kind("javascript:alert(1)")).toBe("none");
    expect(kind("a.png")).toBe("none");
  });

  it("is always a placeholder in a preview", () => {
    expect(kind("https://ntfy.example/file/a.png", { unasked: "nothing" })).toBe("ask");
    expect(kind("https://ntfy.example/file/a.png", { unasked: "nothing" }, "pressed")).toBe("pressed by element");
  });

  it("loads if the topic is allowed, unless it would act on a topic server", () => {
    const all = { unasked: "all" } as const;
    expect(kind("https://elsewhere.example/a?size=2", all)).toBe("allowed by element");
    expect(kind("https://ntfy.example/file/a.png", all)).toBe("file by fetch");
    expect(kind(`${OTHER}/file/a`, all)).toBe("allowed by fetch");
    expect(kind("https://ntfy.example/cameras/door.jpg", all)).toBe("allowed by element");
    expect(kind("https://app.example/cameras/door.jpg", all)).toBe("allowed by fetch");
    for (const acts of [
      "/b/publish",
      "/b/publish?message=x.png",
      "/x/auth?a=.png",
      "/a.png?auth=x",
      "/b%2fpublish.png",
    ]) {
      for (const host of ["https://ntfy.example", "http://ntfy.example", "https://ntfy.example.", APP, OTHER]) {
        expect(kind(host + acts, all), host + acts).toBe("ask");
      }
    }
    expect(kind("https://ada:s3cret@elsewhere.example/a.png", all)).toBe("ask");
  });

  it("is not retried after a failure until it is pressed", () => {
    const failed = judgeLoad("https://ntfy.example/file/a.png", place(), "failed");
    expect(failed).toEqual({ kind: "ask", href: "https://ntfy.example/file/a.png", failed: true });
    expect(kind("https://elsewhere.example/a.png", { unasked: "all" }, "failed")).toBe("ask");
    expect(kind("https://ntfy.example/file/a.png", {}, "pressed")).toBe("pressed by element");
    expect(kind("https://app.example/b/publish?message=x", {}, "pressed")).toBe("pressed by fetch");
  });
});

test("files load from every address that a server can have", () => {
  const host = fc.constantFrom("ntfy.example", "127.0.0.1:8080", "[::1]:80", "localhost");
  const path = fc.array(fc.constantFrom("ntfy", "a-b", "x.y", "~me"), { maxLength: 3 });
  const id = fc.stringMatching(/^[A-Za-z0-9]{12}$/);
  fc.assert(
    fc.property(fc.constantFrom("http", "https"), host, path, id, (scheme, name, parts, file) => {
      const parsed = parseServerAddress(`${scheme}://${[name, ...parts].join("/")}`);
      if (!parsed.ok) throw new Error("no address");
      expect(isFileOf(`${parsed.value}/file/${file}.png`, parsed.value)).toBe(true);
    }),
  );
});
