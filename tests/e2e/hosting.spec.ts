// The app on a web server of its own, as docs/hosting.md describes it.
import { cp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ServerAddress } from "../../src/protocol";
import { CONTENT_SECURITY_POLICY, KEY_FRAME_POLICY } from "../../src/server/content-security-policy";
import { accessLink } from "../../src/ui/topics/link/access-link";
import { expectAccessible } from "./axe";
import { deploy } from "./deploy";
import { DIST, expect, test as base } from "./fixtures";
import { keptOffline, message } from "./on-screen";
import { hasNginx, WebServer } from "./web-server";

/** The app in a folder of its own, and nginx with the example for hosts before it and the topic server. */
const test = base.extend<{ folder: string; nginx: WebServer; home: string }>({
  folder: async ({}, use, info) => {
    const folder = info.outputPath("app");
    await cp(DIST, folder, { recursive: true });
    await use(folder);
  },
  serverOptions: async ({}, use) => use({ behindProxy: true }),
  nginx: async ({ folder, server, watch }, use, info) => {
    const nginx = await WebServer.make(info.outputPath("nginx"), "nginx.conf", folder, server.host);
    watch.allow(nginx.host);
    await nginx.start();
    await use(nginx);
    await nginx.stop();
  },
  home: ({ nginx }, use) => use(`http://${nginx.host}/tools/earshot/`),
});

test.use({ serviceWorkers: "allow" });

test.skip(!hasNginx, "nginx is not installed; npm run e2e installs Debian's where it can");

test("under a path of nginx the app finds its server, opens links, installs, works offline and updates", async ({
  page,
  server,
  nginx,
  home,
  folder,
  watch,
  context,
}) => {
  const answer = await page.goto(home.slice(0, -1));
  expect(page.url()).toBe(home);
  expect(answer?.headers()).toMatchObject({
    "content-security-policy": CONTENT_SECURITY_POLICY,
    "cache-control": "no-cache",
  });
  await expect(page.getByText(/^curl .*\/backups$/)).toContainText(`${nginx.host}/backups`);

  await page.getByRole("textbox", { name: "Topic" }).fill("backups");
  await page.getByRole("button", { name: "Subscribe" }).click();
  await expect(page).toHaveURL(`${home}#/backups`);
  await server.publish("backups", "all is well", { priority: 4 });
  await server.publish("backups", "nothing new");
  await expect(message(page, "nothing new")).toHaveCount(1);

  const script = (await page.locator("script[src]").first().getAttribute("src")) ?? "";
  const asset = await context.request.get(new URL(script, home).href, { headers: { "Accept-Encoding": "gzip" } });
  expect(asset.headers()).toMatchObject({
    "content-encoding": "gzip",
    "cache-control": "public, max-age=31536000, immutable",
    "content-security-policy": CONTENT_SECURITY_POLICY,
  });

  const frame = await context.request.get(`${home}server-key.html`);
  expect(frame.headers()["content-security-policy"]).toBe(KEY_FRAME_POLICY);

  const session = await context.newCDPSession(page);
  await keptOffline(page);
  const { installabilityErrors } = await session.send("Page.getInstallabilityErrors");
  expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== "in-incognito")).toEqual([]);

  watch.tolerate(/ERR_CONNECTION_REFUSED|ERR_INTERNET_DISCONNECTED/);
  await nginx.stop();
  await page.goto(`${home}#/backups?priority=high`);
  await page.reload();
  await expect(message(page, "all is well")).toHaveCount(1);
  await expect(message(page, "nothing new")).toHaveCount(0);

  await deploy(folder, "next");
  await nginx.start();
  await page.reload();
  await page.getByRole("button", { name: "Reload" }).click();
  await expect(page.locator('meta[name="version"]')).toHaveAttribute("content", "next");
  await expect(message(page, "all is well")).toHaveCount(1);
});

test("config.json sets name, colour, server, first topics and settings, and no other server can be added", async ({
  page,
  home,
  folder,
  startOther,
  watch,
  context,
}) => {
  const other = await startOther();
  const third = await startOther();
  const config = {
    name: "Acme alerts",
    colour: "#7a1fa2",
    server: `http://${other.host}`,
    topics: ["backups", "ci"],
    allowedServers: [] as string[],
    settings: { density: "compact", keepDays: 7 },
    locked: ["keepDays"],
  };
  await test.step("a first visit by a link keeps the sign-in that it brought, though the file names another server", async () => {
    await writeFile(join(folder, "config.json"), JSON.stringify(config));
    const scope = { kind: "topics" as const, address: `http://${other.host}` as ServerAddress, topics: ["secret"] };
    const signIn = { kind: "token", token: "tk_ofada" } as const;
    await page.goto(await accessLink({ scope, filter: { terms: [] } }, "Ada's", signIn, home));
    await expect(page).toHaveTitle(/Acme alerts$/);
    await expect(page.getByText("The link brought this sign-in.", { exact: false })).toBeVisible();
    await expect(page.getByText("Ada's", { exact: false })).toBeVisible();
    expect(other.requests, "nothing is asked before the choice").toEqual([]);
  });

  await writeFile(join(folder, "config.json"), JSON.stringify({ ...config, colours: 1, topics: ["backups", "c i"] }));
  await page.goto(home);
  const problems = page.getByRole("group", { name: "2 mistakes in config.json" });
  await expect(problems).toContainText("colours: unknown name");
  await expect(problems).toContainText('topics[1] must be a topic such as "backups"');
  await expectAccessible(page);

  await writeFile(join(folder, "config.json"), JSON.stringify(config));
  await page.reload();
  await expect(problems).toHaveCount(0);
  await expect(page).toHaveTitle(/Acme alerts$/);
  const accent = await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue("--accent"));
  expect(accent).toContain("#7a1fa2");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Subscribe to 2 topics" }).click();
  await expect(page).toHaveURL(`${home}#/backups,ci`);

  await page.goto(`${home}#/http:${third.host}/secret`);
  const barred = page.getByRole("alert").filter({ hasText: `allows topics of ${other.host} only` });
  await expect(barred).toBeVisible();
  await expect(page.getByRole("button", { name: "Subscribe", exact: true })).toBeDisabled();
  expect(third.requests).toEqual([]);

  await page.goto(`${home}#/~settings/storage`);
  const keepDays = page.getByLabel("Keep messages for");
  await expect(keepDays).toBeDisabled();
  await expect(keepDays).toHaveValue("7");
  await expect(page.getByText("It can't be changed here.").first()).toBeVisible();
  await expectAccessible(page);

  // What the host has set counts from the first frame of the next start on, also without a network.
  await keptOffline(page);
  watch.tolerate(/ERR_INTERNET_DISCONNECTED/);
  await context.setOffline(true);
  await page.goto(`${home}#/ci`);
  await page.reload({ waitUntil: "commit" });
  await expect(page).toHaveTitle("ci · Acme alerts");
});
