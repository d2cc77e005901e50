import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { examples, inlineScriptHash } from "../../scripts/policy.mjs";
import { ROOT } from "../../scripts/source-hash.mjs";
import { readHostConfig } from "../../src/contract";
import { CONTENT_SECURITY_POLICY, KEY_FRAME_POLICY } from "../../src/server/content-security-policy";

const read = (file: string) => readFileSync(join(ROOT, file), "utf8");

test("the policy names the script that stands in the page; `npm run policy` writes its hash", async () => {
  expect(CONTENT_SECURITY_POLICY).toContain(`'${await inlineScriptHash()}'`);
});

test("every example for hosts sends exactly the policies of the embedded server", () => {
  expect(examples()).toHaveLength(2);
  for (const file of examples()) {
    const sent = [...read(file).matchAll(/"(default-src [^"]*)"/g)].map(([, policy]) => policy);
    expect(sent, file).toEqual([CONTENT_SECURITY_POLICY, KEY_FRAME_POLICY]);
  }
});

test("each config.json in the guide for hosts is right, and its table has every name", () => {
  const guide = read("docs/hosting.md");
  const files = [...guide.matchAll(/```json\n([^]*?)```/g)].map(([, file = ""]) => file);
  expect(files.length).toBeGreaterThan(0);
  for (const file of files) expect(readHostConfig(file).problems, file).toEqual([]);
  for (const name of ["name", "server", "colour", "topics", "allowedServers", "pushKeys", "settings", "locked"]) {
    expect(guide, name).toContain(`| \`${name}\``);
  }
});

test("the add-on for Home Assistant has the version of the package", () => {
  const { version } = JSON.parse(read("package.json")) as { version: string };
  expect(read("docs/hosting/home-assistant/config.yaml")).toContain(`\nversion: ${version}\n`);
});
