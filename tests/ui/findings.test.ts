import { describe, expect, test } from "vitest";
import type { ServerTest } from "../../src/contract";
import type { ServerAddress } from "../../src/protocol";
import { findingText, reached, tried, type AddressFacts } from "../../src/ui/topics/server/findings";

const look = (part: Partial<AddressFacts> & { at?: string }): AddressFacts => {
  const { at = "https://topics.example.com", ...rest } = part;
  return {
    address: at as ServerAddress,
    answer: "unreachable",
    localNetwork: "unknown",
    isHttps: true,
    isNear: false,
    isOnline: true,
    ...rest,
  };
};

describe("an address", () => {
  test.each<[string, Parameters<typeof look>[0], string]>([
    ["that answers", { answer: "topic-server" }, "reached"],
    ["that answers by http all the same", { at: "http://10.0.0.2", answer: "topic-server" }, "reached"],
    ["where something else lives", { answer: "not-a-topic-server" }, "something-else"],
    ["whose answers can't be read", { answer: "unreadable" }, "unreadable"],
    ["of plain http, from a page of https", { at: "http://topics.example.com" }, "mixed"],
    ["of plain http, from a page of http", { at: "http://topics.example.com", isHttps: false }, "no-answer"],
    ["nearby that the user refused", { at: "https://192.168.1.5", localNetwork: "denied" }, "local-denied"],
    ["nearby by http that the user refused", { at: "http://192.168.1.5", localNetwork: "denied" }, "local-denied"],
    [
      "nearby that the user was not asked about",
      { at: "https://nas.local", localNetwork: "prompt" },
      "local-not-asked",
    ],
    ["nearby by http in a browser that doesn't ask", { at: "http://192.168.1.5" }, "mixed"],
    ["nearby by http that the user allowed", { at: "http://192.168.1.5", localNetwork: "granted" }, "no-answer"],
    ["of this device, by http", { at: "http://localhost:8080" }, "no-answer"],
    [
      "nearby, from a page that came from there",
      { at: "https://10.0.0.2", isNear: true, localNetwork: "prompt" },
      "no-answer",
    ],
    ["nearby, from a public page of http", { at: "http://10.0.0.2", isHttps: false }, "local-by-http"],
    ["far away, without a network", { isOnline: false }, "offline"],
    ["nearby, without a network", { isNear: true, at: "https://10.0.0.2", isOnline: false }, "no-answer"],
    ["that stays silent", { answer: "slow" }, "slow"],
    ["that fails at once, in a browser that doesn't ask", {}, "no-answer"],
    ["far away, whatever the local network is", { localNetwork: "denied" }, "no-answer"],
  ])("%s", (_, part, kind) => {
    expect(reached(look(part)).kind).toBe(kind);
  });
});

describe("the results of a test", () => {
  const good: ServerTest = { access: [{ accountId: 0 }], hasStream: true, keepsS: 43_200, clockAheadS: 1 };
  const kinds = (test: ServerTest, keepsNothing = false) =>
    tried(test, keepsNothing).map((finding) => `${finding.kind} ${findingText(finding, () => undefined).grade}`);

  test("is all right", () => {
    expect(kinds(good)).toEqual(["access good", "stream good", "keeps good", "clock good"]);
  });

  test.each([
    [60, "good"],
    [-60, "good"],
    [61, "doubtful"],
    [-61, "doubtful"],
  ])("a clock that is %i s ahead is %s", (clockAheadS, grade) => {
    expect(kinds({ ...good, clockAheadS }).at(-1)).toBe(`clock ${grade}`);
  });

  test("a refused sign-in is listed beside one that works", () => {
    const why = { kind: "unauthorized", code: 40101 } as const;
    const access = [{ accountId: 1, why }, { accountId: 0 }];
    expect(kinds({ ...good, access }).slice(0, 2)).toEqual(["access bad", "access good"]);
  });

  test("a server without a cache is doubtful, whether it says so or its messages did", () => {
    expect(kinds({ ...good, keepsS: 0 })).toContain("keeps doubtful");
    const { keepsS: _, ...silent } = good;
    expect(tried(silent, true)).toContainEqual({ kind: "keeps", seconds: 0 });
    expect(tried(silent, false)).toContainEqual({ kind: "keeps", seconds: undefined });
  });

  test("a server that only the page reaches is reported as the worker's trouble alone", () => {
    const access = [{ accountId: 0, why: { kind: "network" } as const }];
    expect(kinds({ access })).toEqual(["worker bad"]);
  });
});
