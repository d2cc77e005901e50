import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DIST, expect, test } from "./fixtures";

const scripts = () => readdirSync(join(DIST, "assets")).filter((name) => name.endsWith(".js"));

test("scripts and styles of the build are what its policies say", async ({ server, request }) => {
  await test.step("page, scripts, workers and service worker carry the policy as a header", async () => {
    for (const path of ["", "index.html", "sw.js", "push-sw.js", ...scripts().map((name) => `assets/${name}`)]) {
      const answer = await request.get(`${server.url}${path}`);
      expect(answer.status(), path).toBe(200);
      const policy = answer.headers()["content-security-policy"] ?? "";
      expect(policy, path).toContain("default-src 'none'");
      expect(policy, path).toContain("script-src 'self'");
      expect(policy, path).toContain("require-trusted-types-for 'script'");
      expect(policy, path).not.toMatch(/unsafe|nonce/);
    }
  });
  await test.step("the build has no inline style, and only one inline script, which the policy names", async () => {
    const answer = await request.get(server.url);
    const html = await answer.text();
    expect(html).not.toMatch(/<style|\sstyle=|\son\w+=/);
    const scripts = [...html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([^]*?)<\/script>/g)].map(
      ([, script = ""]) => script,
    );
    const hashes = scripts.map((script) => `sha256-${createHash("sha256").update(script).digest("base64")}`);
    expect(hashes).toHaveLength(1);
    expect(/\d{4}-\d\d-\d\dT[^"]*/.exec(html)?.[0], "a time would make every build differ").toBeUndefined();
    expect(answer.headers()["content-security-policy"]?.match(/sha\d+-[^']*/g)).toEqual(hashes);
  });
  await test.step("the page that runs a server's script has its own policy, in header and markup", async () => {
    const answer = await request.get(`${server.url}server-key.html`);
    const html = await answer.text();
    const [, script = ""] = /<script>([^]*?)<\/script>/.exec(html) ?? [];
    const [, inMarkup = ""] = /content="(default-src[^"]*)"/.exec(html) ?? [];
    const header = answer.headers()["content-security-policy"] ?? "";
    expect(inMarkup).toContain(`'sha256-${createHash("sha256").update(script).digest("base64")}'`);
    expect(header.startsWith(`${inMarkup}; `)).toBe(true);
  });
  await test.step("every address of the page is relative, so that the app works under any path", async () => {
    const html = await (await request.get(server.url)).text();
    const addresses = [...html.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address = ""]) => address);
    expect(addresses.length).toBeGreaterThan(3);
    expect(addresses.filter((address) => !/^(?:\.\/|#)/.test(address))).toEqual([]);
  });
});
