// Writes the hash of the page's inline script into the Content-Security-Policy, and the policies into the examples for
// hosts. Run by hand after that script or a policy changed: npm run policy
import { createHash } from "node:crypto";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { script } from "../src/build/page.ts";
import { CONTENT_SECURITY_POLICY, KEY_FRAME_POLICY } from "../src/server/content-security-policy.ts";
import { ROOT } from "./source-hash.mjs";

const SOURCE = join("src", "server", "content-security-policy.ts");
const EXAMPLES = join("docs", "hosting");

/** @param {string} file */
const read = (file) => readFileSync(join(ROOT, file), "utf8");

/** The hash of the page's one inline script. */
export async function inlineScriptHash() {
  const code = await script(join(ROOT, "src", "ui", "inline.ts"));
  return `sha256-${createHash("sha256").update(code).digest("base64")}`;
}

/** The examples that send a policy, relative to the top folder. */
export function examples() {
  return readdirSync(join(ROOT, EXAMPLES), { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => join(EXAMPLES, name))
    .filter((file) => read(file).includes("default-src"));
}

/**
 * @param {string} file
 * @param {string} text
 */
function write(file, text) {
  if (text === read(file)) return;
  writeFileSync(join(ROOT, file), text);
  console.log(`${file} is written anew.`);
}

if (process.argv[1] === import.meta.filename) {
  const hash = await inlineScriptHash();
  const withHash = (/** @type {string} */ text) => text.replace(/(?<='self' ')sha256-[\w+/]+=*/, hash);
  write(SOURCE, withHash(read(SOURCE)));
  const ofApp = withHash(CONTENT_SECURITY_POLICY);
  const policyLike = (/** @type {string} */ before) => `"${before.includes("sandbox") ? KEY_FRAME_POLICY : ofApp}"`;
  for (const file of examples()) write(file, read(file).replace(/"default-src 'none';[^"]*"/g, policyLike));
}
