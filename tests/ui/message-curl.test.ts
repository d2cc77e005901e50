import fc from "fast-check";
import { expect, test } from "vitest";
import type { MessageEvent } from "../../src/protocol";
import { messageCurl } from "../../src/ui/message/row-menu";
import { ADDRESS } from "./fake-client";

const ACTION = { id: "x1", action: "view", label: "Look", url: "https://example.org/", clear: false };

const event = (part: Partial<MessageEvent>): MessageEvent => ({
  ...{ id: "abc", time: 1, event: "message", topic: "notes", message: "hi" },
  ...part,
});

/** The words that a shell makes of the line, which quotes with single quotes only. */
function shellWords(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? "");
}

test("the line publishes the same message again", () => {
  const line = messageCurl(
    ADDRESS,
    event({
      message: "it's\n@home",
      title: "C:\\new\\\\Door\\",
      tags: ["warning"],
      priority: 4,
      content_type: "text/markdown",
      actions: [ACTION],
    }),
  );
  const [curl, flag, json = "", address] = shellWords(line);
  expect([curl, flag, address]).toEqual(["curl", "-d", `${ADDRESS}/`]);
  expect(JSON.parse(json)).toEqual({
    ...{
      topic: "notes",
      message: "it's\n@home",
      title: "C:\\new\\\\Door\\",
      tags: ["warning"],
      priority: 4,
      markdown: true,
    },
    actions: [{ action: "view", label: "Look", url: "https://example.org/", clear: false }],
  });
});

test("only Markdown is published as Markdown", () => {
  const markdownOf = (content_type: string) => {
    const [, , json = ""] = shellWords(messageCurl(ADDRESS, event({ message: "**a**", content_type })));
    return (JSON.parse(json) as { markdown?: boolean }).markdown;
  };
  expect([markdownOf("text/markdown; charset=utf-8"), markdownOf("text/plain")]).toEqual([true, undefined]);
});

test("nothing in a message ends the line, leaves the quotes or reads a file", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (message, title) => {
      const line = messageCurl(ADDRESS, event({ message, title }));
      expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/);
      const [curl, flag, json = "", address, ...more] = shellWords(line);
      expect([curl, flag, address, more]).toEqual(["curl", "-d", `${ADDRESS}/`, []]);
      expect(JSON.parse(json)).toEqual({ topic: "notes", message, title });
    }),
  );
});
