import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { repeatKey, rowKey, type StoredMessage } from "../../src/contract";
import { MAX_SEEN, readRepeats } from "../../src/ui/details/read-repeats";
import { FakeReader, row } from "./fake-reader";

/** A stored message of topic 1. */
function stored(number: number, message: string, title?: string, more: Partial<StoredMessage> = {}): StoredMessage {
  const one = row(number, more);
  return { ...one, event: { ...one.event, message, ...(title !== undefined && { title }) } };
}

async function repeatsOf(all: StoredMessage[], of: StoredMessage): Promise<string[]> {
  const fake = new FakeReader(all);
  const reader = {
    page: async (query: Parameters<typeof fake.read>[0]) => {
      const read = await fake.read(query);
      if (!read.ok) throw new Error(read.error.text);
      return read.value;
    },
  };
  const found: string[] = [];
  for await (const rows of readRepeats(reader, of, 0)) found.push(...rows.map(rowKey));
  return found;
}

describe("the repeats of a message are found", () => {
  const disk = stored(9, "Disk sda1 is 91 % full", "web-01");

  test("in its topic alone, whatever their number, and among them itself", async () => {
    const alike = [disk, stored(8, "Disk sda1 is 7 % full", "web-01"), stored(1, "Disk sda1 is 12.5 % full", "web-01")];
    const others = [
      stored(7, "Disk sda2 is 91 % full", "web-01"),
      stored(6, "Disk sda1 is 91 % full", "web-02"),
      stored(5, "Disk sda1 is 0 % full", "web-01"),
      stored(4, "Disk sda1 is 91 % full", "web-01", { subId: 2 }),
    ];
    expect(await repeatsOf([...alike, ...others], disk)).toEqual(alike.map(rowKey));
  });

  test("including done and snoozed ones, but not scheduled, superseded or deleted ones", async () => {
    const marked = (number: number, more: Partial<StoredMessage>) =>
      stored(number, "Disk sda1 is 3 % full", "web-01", more);
    const wanted = [disk, marked(8, { doneAtMs: 1 }), marked(7, { snoozedUntilMs: 99 })];
    const others = [marked(6, { scheduled: 1 }), marked(5, { supersededBy: "x" }), marked(4, { deletedAtMs: 1 })];
    expect(await repeatsOf([...wanted, ...others], disk)).toEqual(wanted.map(rowKey));
  });

  test("if it is nothing but an amount", async () => {
    const all = [1, 2, 3].map((n) => stored(n, `${String(n)} %`));
    expect(await repeatsOf([...all, stored(4, "word")], stored(1, "1 %"))).toHaveLength(3);
  });

  test("up to a limit", async () => {
    const all = Array.from({ length: MAX_SEEN + 1_000 }, (_, n) => stored(n, "Door open"));
    const found = await repeatsOf(all, stored(0, "Door open"));
    expect(found.length).toBeGreaterThanOrEqual(MAX_SEEN);
    expect(found.length).toBeLessThan(MAX_SEEN + 500);
  });

  test("by a search that can be ended after each page, also where no message of it is one", async () => {
    const others = Array.from({ length: 2_000 }, (_, n) => stored(n, "Door open, said the window"));
    const fake = new FakeReader(others);
    let pages = 0;
    const reader = {
      page: async (query: Parameters<typeof fake.read>[0]) => {
        pages++;
        const read = await fake.read(query);
        if (!read.ok) throw new Error(read.error.text);
        return read.value;
      },
    };
    for await (const rows of readRepeats(reader, stored(0, "Door open"), 0)) {
      expect(rows).toEqual([]);
      break;
    }
    expect(pages).toBe(1);
  });
});

test("for any texts, all with the same key are found and no others", async () => {
  const text = fc
    .array(
      fc.constantFrom(
        "5",
        "0",
        "12",
        "disk2",
        "Ärger",
        "ς",
        "error",
        "500",
        "-",
        "\n",
        "\r\n",
        " ",
        "3f2a91c",
        "10:30",
      ),
      {
        maxLength: 6,
      },
    )
    .map((parts) => parts.join(" "));
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(text, text), { minLength: 1, maxLength: 12 }), async (texts) => {
      const all = texts.map(([title, message], number) => stored(number, message, title));
      const [first] = all as [StoredMessage];
      const wanted = all.filter(({ event }) => repeatKey(event) === repeatKey(first.event)).map(rowKey);
      expect((await repeatsOf(all, first)).sort()).toEqual(wanted.sort());
    }),
    { numRuns: 300 },
  );
});
