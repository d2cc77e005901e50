import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../../scripts/source-hash.mjs";
import { COMMANDS } from "../../src/ui/commands/table";
import { ICONS, type IconName } from "../../src/ui/parts/icons";

const language = readFileSync(join(ROOT, "docs/design-language.md"), "utf8");
const [, section = ""] = language.split("## Icons\n");
const [table = ""] = section.split("\n## ");
/** The icons of the table, each with what it means. */
const meanings = [...table.matchAll(/`([\w-]+)` *\| ([^|]+?) *\|/g)].map(
  ([, icon = "", means = ""]) => [icon, means] as const,
);

test("the table has each icon once, and no two mean or look the same", () => {
  expect(meanings.map(([icon]) => icon).sort()).toEqual(Object.keys(ICONS).sort());
  expect(new Set(meanings.map(([, means]) => means)).size).toBe(meanings.length);
  expect(new Set(Object.values(ICONS)).size).toBe(meanings.length);
});

test("each icon is drawn somewhere", () => {
  const sources = readdirSync(join(ROOT, "src/ui"), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(?:ts|svelte)$/.test(name) && !name.endsWith("icons.ts"))
    .map((name) => readFileSync(join(ROOT, "src/ui", name), "utf8"))
    .join("\n");
  expect(Object.keys(ICONS).filter((icon) => !sources.includes(`"${icon}"`))).toEqual([]);
});

test("what is done to messages, and what leads somewhere, has an icon of its own", () => {
  const own: IconName[] = [
    "archive",
    "read",
    "unread",
    "check-all",
    "search",
    "prompt",
    "share",
    "star",
    "inbox",
    "clock",
  ];
  for (const icon of own) {
    const ids = COMMANDS.filter((command) => command.icon === icon).map(({ id }) => id);
    // A list has the icon of what is in it.
    expect(
      ids.filter((id) => id !== "doneList" && id !== "starred"),
      icon,
    ).toHaveLength(1);
  }
  const picking = COMMANDS.filter(({ icon }) => icon === "select").map(({ id }) => id);
  expect(picking).toEqual(["pick", "pickAll"]);
});
