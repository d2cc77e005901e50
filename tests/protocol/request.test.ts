import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  authCheckUrl,
  serverUrl,
  MAX_URL_LENGTH,
  encodeQuery,
  parameterReader,
  publishRequest,
  splitTopicsByUrlLength,
  subscribeUrl,
  withCredentials,
  type Credentials,
  type ServerAddress,
} from "../../src/protocol";

const ADDRESS = "https://host:8443/push" as ServerAddress;
const ADA: Credentials = { kind: "basic", user: "ada", password: "s3cret" };
const AUTH = "auth=QmFzaWMgWVdSaE9uTXpZM0psZEE9PQ";

describe("URLs", () => {
  it.each(["json", "sse", "raw"] as const)("of a stream in %s", (format) => {
    expect(subscribeUrl({ address: ADDRESS, topics: ["a", "B_-9"], format })).toBe(
      `https://host:8443/push/a,B_-9/${format}`,
    );
  });

  it("of a WebSocket take its scheme", () => {
    const request = { topics: ["a"], format: "ws" } as const;
    expect(subscribeUrl({ ...request, address: ADDRESS })).toBe("wss://host:8443/push/a/ws");
    expect(subscribeUrl({ ...request, address: "http://host" as ServerAddress })).toBe("ws://host/a/ws");
  });

  it("write every parameter in lower case, encoded, and credentials only where asked to, last", () => {
    const url = subscribeUrl({
      address: ADDRESS,
      topics: ["a"],
      format: "json",
      poll: true,
      since: { kind: "time", time: 1_760_000_000 },
      scheduled: true,
    });
    expect(url).toBe("https://host:8443/push/a/json?poll=1&since=1760000000&scheduled=1");
    expect(withCredentials(url, ADA)).toBe(`${url}&${AUTH}`);
    expect(withCredentials(serverUrl(ADDRESS, "publish"), ADA)).toBe(`https://host:8443/push/?${AUTH}`);
  });

  it("leave out parameters that are not set", () => {
    expect(subscribeUrl({ address: ADDRESS, topics: ["a"], format: "json", poll: false, scheduled: false })).toBe(
      "https://host:8443/push/a/json",
    );
  });

  it("of the other endpoints", () => {
    expect(authCheckUrl(ADDRESS, ["a", "b"])).toBe("https://host:8443/push/a,b/auth");
    expect(serverUrl(ADDRESS, "health")).toBe("https://host:8443/push/v1/health");
  });
});

describe("a query", () => {
  it("holds any text without throwing", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "\ud800", "\udc00", "&", "#", "%", "+", "\n", "💾") });
    fc.assert(
      fc.property(text, (title) => {
        const query = new URLSearchParams(encodeQuery([["title", title]]));
        expect(query.get("title") ?? "").toBe(title.replace(/\p{Surrogate}/gu, "\uFFFD"));
      }),
    );
  });
});

describe("publishing", () => {
  const input = { address: ADDRESS, topic: "a", message: "zwei\nZeilen 💾" };

  it("sends JSON to the root, with just what was given", () => {
    const said = { title: "T", priority: 4, tags: ["x"], markdown: true, delay: "1h" } as const;
    const { body } = publishRequest({ ...input, ...said, tags: ["x"], sequence: "abc" });
    expect(JSON.parse(body as string)).toEqual({
      sequence_id: "abc",
      topic: "a",
      message: "zwei\nZeilen 💾",
      title: "T",
      priority: 4,
      tags: ["x"],
      markdown: true,
      delay: "1h",
    });
  });

  it("carries no credentials itself", () => {
    const { url, body } = publishRequest({ ...input, ...{ credentials: ADA } });
    expect(url).toBe("https://host:8443/push/");
    expect(body).not.toContain("s3cret");
  });

  it("sends a file as the body, and the rest in headers that any text fits into", () => {
    const content = new Blob(["x"]);
    const { url, body, headers } = publishRequest({ ...input, file: { name: "Läuft.pdf", content }, title: "T" });
    expect(url).toBe("https://host:8443/push/a");
    expect(body).toBe(content);
    const read = parameterReader(headers ?? {}, new URLSearchParams());
    expect([read("filename"), read("message"), read("title"), read("tags")]).toEqual([
      "Läuft.pdf",
      "zwei\nZeilen 💾",
      "T",
      undefined,
    ]);
  });
});

describe("dividing topics among requests", () => {
  const longest = (topics: string[], auth?: Credentials) => {
    const since = { kind: "time", time: 9_999_999_999 } as const;
    const url = subscribeUrl({ address: ADDRESS, topics, format: "json", poll: true, since, scheduled: true });
    return auth ? withCredentials(url, auth) : url;
  };

  it("keeps a few topics together, each once", () => {
    expect(splitTopicsByUrlLength(ADDRESS, ["a", "b", "a"])).toEqual([["a", "b"]]);
    expect(splitTopicsByUrlLength(ADDRESS, [])).toEqual([]);
  });

  it("keeps every URL within the limit, loses no topic and keeps their order", () => {
    const topics = fc.uniqueArray(fc.stringMatching(/^[-_A-Za-z0-9]{1,64}$/), { minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(topics, fc.constantFrom(undefined, ADA), (names, auth) => {
        const groups = splitTopicsByUrlLength(ADDRESS, names, auth, 600);
        expect(groups.flat()).toEqual(names);
        for (const group of groups) expect(longest(group, auth).length).toBeLessThanOrEqual(600);
      }),
    );
  });

  it("fills a URL well", () => {
    const topics = Array.from({ length: 500 }, (_, index) => `topic-number-${1_000 + index}`);
    const groups = splitTopicsByUrlLength(ADDRESS, topics);
    expect(groups).toHaveLength(3);
    expect(longest(groups[0] ?? []).length).toBeGreaterThan(MAX_URL_LENGTH * 0.95);
  });

  it("gives a topic that is too long a request of its own", () => {
    expect(splitTopicsByUrlLength(ADDRESS, ["a", "b"], undefined, 10)).toEqual([["a"], ["b"]]);
  });
});
