import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  encodeJson,
  encodeRaw,
  encodeSse,
  frameOfText,
  lineFraming,
  decodeLine,
  MAX_LINE_LENGTH,
  frameOfRawLine,
  SseFraming,
  type Frame,
} from "../../../src/protocol";
import { bytesOf, EVENTS, pushCut } from "./fixtures";

const event = (index: number): Frame => {
  const found = EVENTS[index];
  if (!found) throw new Error(`no event ${index}`);
  return { kind: "event", event: found };
};
const ALL = EVENTS.map((_, index) => event(index));
const BLANK: Frame = { kind: "blank" };
const MALFORMED: Frame = { kind: "malformed" };

const json = EVENTS.map(encodeJson);
const sse = EVENTS.map(encodeSse);

/** Streams as servers and proxies write them, each with the frames that it contains. */
const JSON_STREAMS: [name: string, text: string, frames: Frame[]][] = [
  ["every kind of event", json.join(""), ALL],
  [
    "CRLF and empty lines",
    `\r\n${json.join("\r\n")}\n`,
    [BLANK, ...ALL.flatMap((frame, at) => (at ? [BLANK, frame] : frame)), BLANK],
  ],
  [
    "noise between events",
    `${json[0]}nonsense\n{"event":"later","x":1}\n{"id":1,"event":"open"}\n${json[1]}`,
    [event(0), MALFORMED, { kind: "unknown" }, MALFORMED, event(1)],
  ],
  [
    "an error that ends the stream",
    `${json[1]}{"code":50001,"http":500,"error":"internal"}\n`,
    [event(1), { kind: "error", body: { code: 50001, http: 500, error: "internal" } }],
  ],
];

const SSE_STREAMS: [name: string, text: string, frames: Frame[]][] = [
  ["every kind of event", sse.join(""), ALL],
  ["CRLF", sse.join("").replaceAll("\n", "\r\n"), ALL],
  ["lone CR", sse.join("").replaceAll("\n", "\r"), ALL],
  ["a byte order mark and blank lines", `\uFEFF\n\n${sse[0]}\n\n${sse[1]}`, [event(0), event(1)]],
  ["comments", `: hello\n${sse[0]}:\n${sse[1]}`, [BLANK, event(0), BLANK, event(1)]],
  [
    "fields that mean nothing here",
    `id: 5\nretry: 10\nevent\nunknown: x\n data: x\n${sse[1]}event: ping\n\n`,
    [event(1)],
  ],
  [
    "data over several lines and without a blank",
    `data:{"id":"k","time":1,\ndata: "event":"keepalive",\ndata:"topic":"a"}\n\n`,
    [{ kind: "event", event: { id: "k", time: 1, event: "keepalive", topic: "a" } }],
  ],
  ["noise", `data: nonsense\n\ndata\n\ndata:\n\n${sse[2]}`, [MALFORMED, event(2)]],
];

describe("JSON lines", () => {
  it.each(JSON_STREAMS)("read %s, cut at every byte", (_, text, frames) => {
    const bytes = bytesOf(text);
    for (let cut = 0; cut <= bytes.length; cut++) {
      const framing = lineFraming(decodeLine);
      expect(pushCut(framing, bytes, [cut])).toEqual(frames);
      expect(framing.end()).toBe(true);
    }
  });

  it.each(JSON_STREAMS)("read %s, byte by byte", (_, text, frames) => {
    const bytes = bytesOf(text);
    expect(pushCut(lineFraming(decodeLine), bytes, [...bytes.keys()])).toEqual(frames);
  });

  it("say whether the last line was whole, wherever the connection broke", () => {
    const bytes = bytesOf(json.join(""));
    for (let cut = 0; cut <= bytes.length; cut++) {
      const framing = lineFraming(decodeLine);
      framing.push(bytes.slice(0, cut));
      expect(framing.end()).toBe(cut === 0 || bytes[cut - 1] === 10);
    }
  });

  it("skip an overlong line, report it once, and lose nothing else", () => {
    const long = bytesOf(`{"x":"${"y".repeat(MAX_LINE_LENGTH)}"}\n`);
    const framing = lineFraming(decodeLine);
    const frames = [bytesOf(json[0] ?? ""), long.slice(0, 9), long.slice(9), bytesOf(json[1] ?? "")];
    expect(frames.flatMap((chunk) => framing.push(chunk))).toEqual([event(0), MALFORMED, event(1)]);
  });
});

describe("server-sent events", () => {
  it.each(SSE_STREAMS)("read %s, cut at every byte", (_, text, frames) => {
    const bytes = bytesOf(text);
    for (let cut = 0; cut <= bytes.length; cut++) {
      const framing = new SseFraming();
      expect(pushCut(framing, bytes, [cut])).toEqual(frames);
      expect(framing.end()).toBe(true);
    }
  });

  it.each(SSE_STREAMS)("read %s, byte by byte", (_, text, frames) => {
    const bytes = bytesOf(text);
    expect(pushCut(new SseFraming(), bytes, [...bytes.keys()])).toEqual(frames);
  });

  it("are whole only after the blank line that ends the last one", () => {
    const bytes = bytesOf(sse.join(""));
    const ends = new Set(sse.map((_, index) => bytesOf(sse.slice(0, index + 1).join("")).length));
    for (let cut = 0; cut <= bytes.length; cut++) {
      const framing = new SseFraming();
      framing.push(bytes.slice(0, cut));
      expect(framing.end()).toBe(cut === 0 || ends.has(cut));
    }
  });

  it("skip an event that is too long, in one line or in many, report it once, and go on", () => {
    const half = "y".repeat(MAX_LINE_LENGTH / 2);
    const parts = [
      `data: ${half}${half}\ndata: more\n\n`,
      sse[0],
      `data: ${half}\ndata: ${half}\ndata: ${half}\n\n`,
      sse[1],
      `event: ${half}${half}${half}\ndata: {}\n\n`,
      sse[2],
    ];
    const framing = new SseFraming();
    const frames = parts.flatMap((part) => framing.push(bytesOf(part ?? "")));
    expect(frames).toEqual([MALFORMED, event(0), MALFORMED, event(1), MALFORMED, event(2)]);
  });
});

describe("raw lines", () => {
  it("are texts, or empty for other events, cut at every byte", () => {
    const bytes = bytesOf(EVENTS.map(encodeRaw).join(""));
    const text = 'zwei Zeilen\u2028 "und" <b>\\n</b> 👩‍👩‍👧 \ud83d\ude00';
    for (let cut = 0; cut <= bytes.length; cut++) {
      const framing = lineFraming(frameOfRawLine);
      expect(pushCut(framing, bytes, [cut])).toEqual([BLANK, { kind: "text", text }, BLANK, BLANK, BLANK]);
      expect(framing.end()).toBe(true);
    }
  });

  it("that are too long are skipped", () => {
    const framing = lineFraming(frameOfRawLine);
    expect(framing.push(bytesOf(`${"x".repeat(MAX_LINE_LENGTH + 1)}\na\n`))).toEqual([
      MALFORMED,
      { kind: "text", text: "a" },
    ]);
  });
});

describe("WebSocket frames", () => {
  it("hold one object, with a line feed or without", () => {
    expect(EVENTS.map((_, index) => frameOfText(json[index] ?? ""))).toEqual(ALL);
    expect(frameOfText((json[1] ?? "").trim())).toEqual(event(1));
    expect(frameOfText("")).toEqual(BLANK);
    expect(frameOfText("x")).toEqual(MALFORMED);
    expect(frameOfText(" ".repeat(MAX_LINE_LENGTH + 1))).toEqual(MALFORMED);
  });
});

describe("writing events", () => {
  it("names signals and poll requests in server-sent events, and nothing that is stored", () => {
    expect(sse.map((text) => text.split("\n").length - 1)).toEqual([3, 2, 3, 3, 2]);
    expect(sse[0]).toBe(`event: open\n${sse[0]?.split("\n")[1]}\n\n`);
    expect(sse[4]).toMatch(/^data: \{.*"message_delete".*\}\n\n$/);
  });

  it("leaves out a sequence that is the message itself", () => {
    const message = { id: "x", time: 1, event: "message", topic: "a", message: "m" } as const;
    expect(encodeJson({ ...message, sequence_id: "x" })).toBe(`${JSON.stringify(message)}\n`);
    expect(encodeJson({ ...message, sequence_id: "y" })).toContain('"sequence_id":"y"');
  });

  it("is read back the same, whatever the text and the chunks", () => {
    const message = fc.record({ message: fc.string({ unit: "binary" }), title: fc.string({ unit: "grapheme" }) });
    fc.assert(
      fc.property(fc.array(message, { maxLength: 5 }), fc.array(fc.nat(400), { maxLength: 5 }), (messages, cuts) => {
        const events = messages.map((fields, at) => ({
          id: `m${at}`,
          time: at,
          event: "message" as const,
          topic: "a",
          ...fields,
        }));
        const frames = events.map((decoded) => ({ kind: "event", event: decoded }));
        cuts.sort((a, b) => a - b);
        expect(pushCut(lineFraming(decodeLine), bytesOf(events.map(encodeJson).join("")), cuts)).toEqual(frames);
        expect(pushCut(new SseFraming(), bytesOf(events.map(encodeSse).join("")), cuts)).toEqual(frames);
      }),
    );
  });

  it("survives any bytes without throwing", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array()), (chunks) => {
        for (const framing of [lineFraming(decodeLine), new SseFraming(), lineFraming(frameOfRawLine)]) {
          for (const chunk of chunks) framing.push(chunk);
          framing.end();
        }
      }),
    );
  });
});
