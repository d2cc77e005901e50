import fc from "fast-check";
import { expect, test } from "vitest";
import { plainMarkdown } from "../../src/contract";

test.each([
  ["**Slow queries** on `db-1`", "Slow queries on db-1"],
  ["- value: 80 %\n- since: 4 min", "value: 80 %\nsince: 4 min"],
  ["# Backup\n> done *at last*", "Backup\ndone at last"],
  ["see [the run](https://ci.example/1) ![graph](g.png)", "see the run graph"],
  ["1. one\n2) two", "one\ntwo"],
  ["```sh\nls -l\n```", "ls -l"],
  ["~~~c++\nx\n~~~", "x"],
  ["failed:\n```disk full```", "failed:\ndisk full"],
  ["``` error: disk full\n```", "``` error: disk full"],
  ["one\ntwo", "one\ntwo"],
  ["- [x] done\n- [ ] open", "☑ done\n☐ open"],
  ["[ERROR]: timeout", "[ERROR]: timeout"],
  ["18~21°C inside, 5~7°C", "18~21°C inside, 5~7°C"],
  ["~~old~~ new", "old new"],
  ["---", "---"],
  ["```", "```"],
  ["[x][y] and ![z](https://example.com/z.png 'title')", "[x][y] and z"],
  ["[wiki](https://en.wikipedia.org/wiki/A_(b))", "wiki"],
  ["2 * 3 * 4, snake_case_name, a_b", "2 * 3 * 4, snake_case_name, a_b"],
  ["foo__bar__baz and __init__", "foo__bar__baz and init"],
  ["https://example.com/__a__/_b_/c~~d~~", "https://example.com/__a__/_b_/c~~d~~"],
  ["see https://youtu.be/_abc_ *now*", "see https://youtu.be/_abc_ now"],
  ["**https://example.com/a**", "https://example.com/a"],
  ["see <https://ci.example/812?a=_b_>, <ops@example.com>", "see https://ci.example/812?a=_b_, ops@example.com"],
  ["x<y and a@b>c, <b> <1:2>", "x<y and a@b>c, <b> <1:2>"],
  ["**\u200b**", "**\u200b**"],
])("%j reads %j", (text, plain) => expect(plainMarkdown(text)).toBe(plain));

test("text without markup stays as it is", () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z][a-z0-9 ,.:]{0,200}$/), (text) => {
      expect(plainMarkdown(text)).toBe(text.trim());
    }),
  );
});

test.each(["*", "_", "`", "[", "**a", "[a](", "~~", "- ", "<a:", "<a@"])(
  "4,096 characters of %j take no time",
  (sign) => {
    // Processor time, which is the same on a busy machine.
    const before = process.cpuUsage();
    plainMarkdown(sign.repeat(4_096).slice(0, 4_096));
    expect(process.cpuUsage(before).user).toBeLessThan(500_000);
  },
);
