import { expect, test } from "vitest";
import { ALERT_WITHIN_MS, type CommandError, type ConnectionState } from "../../src/contract";
import type { Failure } from "../../src/protocol";
import german from "../../src/locales/de.json";
import english from "../../src/locales/en.json";
import { connectionText, failureText, spokenConnectionText, technicalLine, topicStrings } from "../../src/ui/strings";
import { credentialsFault, topicFault, refusal } from "../../src/ui/topics/server/faults";

const failures: Failure[] = [
  { kind: "network" },
  { kind: "silent" },
  { kind: "ended" },
  { kind: "http", status: 502 },
  { kind: "http", status: 400, code: 40010 },
  { kind: "busy", code: 42901 },
  { kind: "busy", code: 42909 },
  { kind: "unauthorized", code: 40101 },
  { kind: "forbidden", code: 40301, topics: ["a", "b"] },
  { kind: "no-topic-server" },
  { kind: "not-allowed-by-browser" },
  { kind: "malformed", text: "x" },
];

test("every failure has a sentence of its own and a technical line", () => {
  const said = failures.map((why) => failureText(why));
  expect(new Set(said).size).toBe(failures.length);
  for (const sentence of said) expect(sentence).toMatch(/^[A-Z].*\.$/);
  for (const why of failures) expect(technicalLine(why)).not.toBe("");
});

test("a failure says what to do: wait, sign in, or ask for the right to read", () => {
  const said = (why: Failure) => failureText(why, "nas.local");
  expect(said({ kind: "network" })).toBe("nas.local can't be reached.");
  expect(said({ kind: "no-topic-server" })).toBe("nas.local: There is no topic server at this address.");
  expect(said({ kind: "busy", code: 42901 })).toBe("nas.local is limiting requests.");
  expect(said({ kind: "busy", code: 42909 })).toMatch(
    /^Too many failed sign-ins from this network\. nas\.local refuses/,
  );
  // A reserved name is 40010 since May 2026, before it was 40009.
  for (const code of [40009, 40010]) {
    expect(said({ kind: "http", status: 400, code })).toBe("nas.local doesn't accept this topic.");
  }
  expect(said({ kind: "http", status: 400, text: "invalid delay parameter: too large" })).toBe(
    "nas.local doesn't accept this: invalid delay parameter: too large.",
  );
  const forbidden: Extract<Failure, { kind: "forbidden" }> = { kind: "forbidden", code: 40301, topics: ["a", "b"] };
  expect(said(forbidden)).toBe("nas.local requires a sign-in for a and b.");
  expect(said({ ...forbidden, topics: [] })).toBe("nas.local requires a sign-in.");
  expect(said({ ...forbidden, isSignedIn: true })).toBe("This user can't read a and b. Ask whoever runs the server.");
});

test("states are put in words, with the time to the next try", () => {
  const waiting: ConnectionState = { kind: "waiting", attempt: 1, nextTryAtMs: 9_000, why: { kind: "network" } };
  expect(connectionText(waiting, 1_000)).toBe("Next try in 8 s");
  expect(connectionText(waiting, 20_000)).toBe("Next try in 0 s");
  expect(connectionText({ kind: "stopped", why: { kind: "no-topic-server" } }, 0)).toBe("No topic server");
});

test("a polled server is never called live, but described by how often it is polled and when it last answered", () => {
  const polled: ConnectionState = { kind: "live", sinceMs: 0, transport: "poll", everyMs: 30_000 };
  expect(connectionText(polled, 0)).toBe("Polled every 30 s");
  const at = new Date(2026, 10, 21, 14, 2).getTime();
  expect(connectionText(polled, 0, at)).toBe("Polled every 30 s · last at 14:02");
  expect(connectionText({ kind: "live", sinceMs: 0, transport: "ws" }, 0, at)).toBe("Live");
});

test("screen readers hear one word for all kinds of trying", () => {
  const waiting: ConnectionState = { kind: "waiting", attempt: 1, nextTryAtMs: 9_000, why: { kind: "network" } };
  const connecting: ConnectionState = { kind: "connecting", attempt: 1, sinceMs: 0 };
  expect(spokenConnectionText(waiting)).toBe(spokenConnectionText(connecting));
  expect(spokenConnectionText({ kind: "live", sinceMs: 0, transport: "json" })).toBe("Live");
  const inTurn = { kind: "live", sinceMs: 0, transport: "json", inTurn: { topics: 5_812, everyMs: 240_000 } } as const;
  expect(connectionText(inTurn, 0)).toBe("Live, 5,812 topics every 4 min");
});

test("a faulty topic name is reported with the reason", () => {
  expect(topicFault({ kind: "bad-character", character: " ", at: 1 })).toContain("no spaces");
  expect(topicFault({ kind: "bad-character", character: "ä", at: 1 })).toContain("ä");
  expect(topicFault({ kind: "too-long", length: 65 })).toContain("65");
  expect(topicFault({ kind: "reserved", name: "docs" })).toContain("docs");
  expect(topicFault({ kind: "empty" })).toBe(topicStrings.nameFaults.empty);
});

test("faulty credentials are reported by their kind", () => {
  expect(credentialsFault({ kind: "token", problem: "empty" })).toBe("Enter a token.");
});

test("a server's answer is shown beside the field to change", () => {
  const failed = (why: Failure): CommandError => ({ kind: "failed", why });
  expect(refusal(failed({ kind: "forbidden", code: 40301, topics: [] }))).toHaveProperty("credentials");
  expect(refusal(failed({ kind: "unauthorized", code: 40101 }))).toHaveProperty("credentials");
  expect(refusal(failed({ kind: "network" }))).toHaveProperty("server");
  expect(refusal(failed({ kind: "busy", code: 42901 }))).toHaveProperty("other");
  expect(refusal(failed({ kind: "http", status: 400, code: 40010 }))).toHaveProperty("topic");
  expect(refusal({ kind: "invalid", field: "topic", reason: "No." })).toEqual({ topic: "No." });
  expect(refusal({ kind: "invalid", field: "message", reason: "No." })).toEqual({ other: "No." });
  expect(refusal({ kind: "quota" })).toHaveProperty("other");
});

test("the text gives the time that an alert really waits for a tab", () => {
  const minutes = String(ALERT_WITHIN_MS / 60_000);
  for (const { details } of [english.message, german.message]) {
    expect(details.noAlertReasons.unshown).toMatch(new RegExp(`\\b${minutes} Min`, "i"));
  }
});
