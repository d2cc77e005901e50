import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page, Request } from "@playwright/test";
import { ROOT } from "../../scripts/source-hash.mjs";
import { NOTIFICATION_LOCK } from "../../src/contract";
import { chooseInMenu, expectStored, keptOffline, message, openMessage, pointAtFeed } from "./on-screen";
import { expect, lines, messageEvent, nowS, subscribe, test } from "./scripted-server";
import type { TestServer } from "./fixtures";

test.use({ serviceWorkers: "allow" });

const PICTURE = readFileSync(join(ROOT, "public", "badge-96.png"));

/** When the browser can't draw an image, Playwright's trace recorder requests it again. */
const READS_BODY = /connect-src/;

/** Paths at which a GET acts on a topic server, or which could be taken for a file; `id` is that of an uploaded one. */
function hostilePaths(id: string): string[] {
  return [
    ...Array.from({ length: 12 }, (_, at) => `/guessed/auth?auth=QmFzaWMgd3Jvbmc${String(at)}`),
    "/forged/publish?message=forged",
    "/forged/send?message=forged",
    "/forged/trigger",
    "/forged/json?poll=1",
    "/v1/account?auth=QmFzaWMgd3Jvbmc",
    `/file/${id}.png?auth=QmFzaWMgd3Jvbmc`,
    `/file/${id}.png?`,
    `/file/${id}.png#x`,
    `/file/${id}.png/`,
    `/file/${id}/x.png`,
    `/file/${id}/../../forged/publish?message=forged`,
    `/file/${id}/../../forged/trigger`,
    `/file/${id}/%2e%2e/%2e%2e/forged/trigger`,
    "/file/..%2fforged%2ftrigger",
    "/file/..\\..\\forged\\trigger",
    "/file\\..\\forged\\trigger",
    "/file/trigger",
    "/file/publish",
    "/file/json",
    `//file/${id}.png`,
    `/x/../file/${id}.png`,
    `/FILE/${id}.png`,
  ];
}

/** Addresses of these paths, and some that only look as if they were on the server. */
function hostileAddresses(server: TestServer, id: string): string[] {
  const { host, port } = server;
  return [
    ...hostilePaths(id).map((path) => `http://${host}${path}`),
    `HTTP://${host}/forged/trigger`,
    `http://ada:s3cret@${host}/file/${id}.png`,
    `http:${host}/forged/trigger`,
    `http:\\\\${host}\\forged\\trigger`,
    `http://${host.toUpperCase()}./forged/trigger`,
    `http://2130706433:${String(port)}/forged/trigger`,
    `http://localhost:${String(port)}/file/${id}.png`,
  ];
}

/** Uploads a picture; returns the id of its message. */
async function upload(server: TestServer, topic: string): Promise<string> {
  const headers = { Filename: "uploaded.png", Message: "an uploaded picture" };
  const answer = await fetch(`${server.url}${topic}`, { method: "PUT", body: PICTURE, headers });
  return ((await answer.json()) as { id: string }).id;
}

/**
 * Records requests of the page that are neither for the app's own files nor part of the server API that the app uses.
 */
function recordLoads(page: Page): Request[] {
  const loads: Request[] = [];
  page.context().on("request", (request) => {
    const { pathname } = new URL(request.url());
    const isOwn = request.url().startsWith("blob:") || request.url().startsWith("data:");
    if (!isOwn && (request.resourceType() === "image" || request.resourceType() === "media")) loads.push(request);
    else if (!isOwn && request.resourceType() === "fetch" && pathname.startsWith("/file/")) loads.push(request);
  });
  return loads;
}

/** Requested paths that the app itself has no reason to request. */
function strangePaths(server: TestServer, topics: readonly string[], allowed: readonly string[]): string[] {
  const own = [/^\/$/, /^\/assets\//, /^\/v1\/(?:health|stats)$/, /^\/[\w-]+\.(html|js|json|webmanifest|svg|png)$/];
  const lists = topics.map((topic) => new RegExp(`^/[^/]*${topic}[^/]*/(json|auth|ws|sse)$|^/${topic}$`));
  return server.requests
    .map(({ path }) => path)
    .filter((path) => ![...own, ...lists].some((pattern) => pattern.test(path)) && !allowed.includes(path));
}

/**
 * Publishes what a stranger can: Markdown images, an icon and an attachment at each hostile address. Returns the number
 * of messages.
 */
async function publishHostile(server: TestServer, topic: string, id: string): Promise<number> {
  const addresses = hostileAddresses(server, id);
  await server.publish(topic, addresses.map((address) => `![x](<${address}>)`).join("\n\n"), { markdown: true });
  for (const [at, icon] of addresses.entries()) {
    await server.publish(topic, `one ${String(at)} ![y](<${icon}>)`, { markdown: true, icon, attach: icon });
  }
  // The attachment is named as an image, whatever its address holds.
  const attached = addresses.filter((address) => /^http:\/\//.test(address));
  for (const Attach of attached) await server.curl(topic, "a lie", { Attach, Filename: "lie.png" });
  return 1 + addresses.length + attached.length;
}

test.describe("a message makes no request by itself", () => {
  test("in the feed, redrawn, opened, in columns, on the wall, as a notification, or in a preview", async ({
    server,
    page,
    context,
    watch,
  }) => {
    test.slow();
    watch.tolerate(/ERR_|400|404/);
    const id = await upload(server, "notes");
    const file = `/file/${id}.png`;
    const count = await publishHostile(server, "notes", id);
    await context.addCookies([{ name: "session", value: "s3cret", url: server.url }]);
    const loads = recordLoads(page);
    const none = (where: string) => {
      expect(strangePaths(server, ["notes"], [file]), where).toEqual([]);
      const others = loads.map((request) => request.url()).filter((url) => url !== `${server.url}${file.slice(1)}`);
      expect(others, where).toEqual([]);
    };

    await page.goto(`${server.url}#/http:${server.host}/notes`);
    await page.getByRole("button", { name: "Preview" }).click();
    await expect(page.getByRole("article")).toHaveCount(count + 1);
    await expect(page.getByRole("button", { name: /^Load image “x” from/ }).first()).toBeVisible();
    none("only looking");
    expect(loads, "of a server that is not subscribed not even files").toEqual([]);

    await context.grantPermissions(["notifications"], { origin: server.url });
    await page.getByRole("button", { name: "Subscribe" }).click();
    await expectStored(page, count + 1);
    await keptOffline(page);
    const feed = page.getByRole("feed", { name: "Messages" });
    await pointAtFeed(page);
    const uploaded = message(page, "an uploaded picture");
    await expect(async () => {
      await page.mouse.wheel(0, 2_000);
      await expect(uploaded).toBeVisible({ timeout: 300 });
    }).toPass();
    await expect(uploaded.getByRole("button", { name: "Enlarge uploaded.png" })).toBeVisible();
    await expect(uploaded.getByRole("img", { name: "uploaded.png" })).toHaveJSProperty("complete", true);
    await expect.poll(() => loads.length, "the uploaded file alone").toBe(1);
    none("scrolled through");
    for (const request of loads) expect(await request.allHeaders(), "without cookies").not.toHaveProperty("cookie");

    await page.reload();
    await expect(feed.getByRole("article").first()).toBeVisible();
    await expect(feed.getByRole("button", { name: /^Load icon from/ }).first()).toBeVisible();
    none("drawn anew");
    for (let at = 0; at < 6; at++) {
      await page.keyboard.press("j");
      await page.keyboard.press("Enter");
      await expect(page.getByRole("button", { name: "Raw" }).or(page.getByRole("tab", { name: "Raw" }))).toBeVisible();
      await page.keyboard.press("Escape");
    }
    none("opened");

    for (const place of ["~wall", "~columns", "~urgent", ""]) {
      await page.goto(`${server.url}#/${place}`);
      await expect(page.getByRole("main")).toBeVisible();
      none(`at #/${place}`);
    }

    await expect(async () => {
      await server.publish("notes", "the first that is told");
      await expect.poll(() => pictures(page), { timeout: 2_000 }).toHaveLength(1);
    }).toPass();
    await pictures(page, true);
    for (const address of hostileAddresses(server, id).slice(10, 24)) {
      if (!address.startsWith("http://")) continue;
      await server.curl("notes", "told", { Icon: address, Attach: address, Filename: "lie.png", Title: "told" });
      await expect.poll(() => pictures(page)).toEqual([["./icon-192.png", ""]]);
      await pictures(page, true);
    }
    none("as notifications");
    const again = `/file/${await upload(server, "notes")}.png`;
    await expect.poll(() => pictures(page)).toEqual([["./icon-192.png", expect.stringMatching(/^blob:/)]]);
    expect(strangePaths(server, ["notes"], [file, again])).toEqual([]);
    expect(server.requests.map(({ path }) => path)).toContain(again);
  });

  test("unless it is pressed, which loads one thing, or its topic is allowed, and even then to nothing that acts on a topic server", async ({
    server,
    page,
    scripted,
    startOther,
    watch,
  }) => {
    await test.step("unless its topic is allowed, and even then to nothing that acts on a topic server", async () => {
      const images = [
        `${scripted.url}/far.png?size=2`,
        `${server.url}forged/trigger`,
        `${server.url}forged/publish?message=forged`,
        `${server.url}badge-96.png?auth=QmFzaWMgd3Jvbmc`,
        `${server.url}badge-96.png`,
      ];
      const text = images.map((address, at) => `![pic ${String(at)}](${address})`).join("\n\n");
      await server.publish("notes", `all of them\n\n${text}`, { markdown: true });
      await subscribe(page, server, "notes");
      const shown = await openMessage(page, "all of them");
      await expect(shown.getByRole("button", { name: /^Load image/ })).toHaveCount(5);
      await chooseInMenu(page, "Topic settings");
      await page.getByLabel("Load images without asking").check();
      await page.keyboard.press("Escape");
      await expect(shown.getByRole("button", { name: "Enlarge pic 0" }).getByRole("img")).toBeVisible();
      await expect(shown.getByRole("button", { name: "Enlarge pic 4" }).getByRole("img")).toBeVisible();
      await expect(shown.getByRole("button", { name: /^Load image/ })).toHaveCount(3);
      expect(scripted.asked(/far\.png/)).toBe(1);
      expect(server.requests.filter(({ path }) => path.includes("forged"))).toEqual([]);
    });
    await test.step("one press loads one thing, for the message in which it was pressed", async () => {
      watch.tolerate(READS_BODY);
      const address = `${server.url}forged/trigger`;
      for (const name of ["one", "two", "three"])
        await server.publish("pressed", `number ${name} ![pic](${address})`, { markdown: true });
      await subscribe(page, server, "pressed");
      const asked = () => server.requests.filter(({ path }) => path.includes("forged")).length;
      const load = async (name: string) =>
        (await openMessage(page, `number ${name}`)).getByRole("button", { name: /^Load image “pic”/ });
      await (await load("two")).click();
      await expect.poll(asked).toBe(1);
      await expect(await load("two"), "an answer that is no image").toBeVisible();
      for (const name of ["one", "three", "two"]) await expect(await load(name)).toBeVisible();
      expect(asked()).toBe(1);
    });
    await test.step("when its server redirects an uploaded file, or when a load has failed", async () => {
      watch.tolerate(/404|ERR_FAILED|CORS|redirect/i);
      const other = await startOther();
      scripted.answer = ({ url }, response) => {
        if (url === "/file/onward.png") response.writeHead(302, { Location: "/forged/publish?message=forged" }).end();
        else if (url === "/file/away.png") response.writeHead(302, { Location: `${other.url}forged/trigger` }).end();
        else if (url === "/file/lost.png") response.writeHead(404).end();
        else return false;
        return true;
      };
      const at = (name: string) => `${scripted.url}/file/${name}.png`;
      scripted.polled = lines(
        ...["onward", "away", "lost"].map((name) =>
          messageEvent("redirects", `has ${name} ![pic](${at(name)})`, {
            content_type: "text/markdown",
            icon: at(name),
            attachment: { name: `${name}.png`, url: at(name), type: "image/png", expires: nowS() + 600 },
          }),
        ),
      );
      await page.goto(`${server.url}#/http:${scripted.host}/redirects`);
      await page.getByRole("button", { name: "Subscribe" }).click();
      for (const name of ["onward", "away", "lost"]) {
        await expect(message(page, `has ${name}`)).toContainText("can't be shown");
        await expect(message(page, `has ${name}`).getByRole("button", { name: /^Load icon/ })).toBeVisible();
        const opened = await openMessage(page, `has ${name}`);
        await expect(opened.getByRole("button", { name: /^Load image “pic”/ })).toBeVisible();
      }
      expect(scripted.asked(/forged/)).toBe(0);
      expect(other.requests.filter(({ path }) => path.includes("forged"))).toEqual([]);
      const asked = scripted.asked(/\/file\//);
      await page.goto(`${server.url}#/~settings`);
      await page.goBack();
      await expect(message(page, "has lost").getByRole("button", { name: "Try again" })).toBeVisible();
      expect(scripted.asked(/\/file\//), "drawn anew").toBe(asked);
      expect(
        scripted.requests.filter(({ url }) => url.startsWith("/file/")).every(({ headers }) => !headers.cookie),
      ).toBe(true);
    });
  });
});

/**
 * Icon and image of each notification of the app.
 * @param closes closes all of them as well
 */
function pictures(page: Page, closes = false): Promise<[string, string][]> {
  return page.evaluate(
    async ([lock, closes]) => {
      const registration = await navigator.serviceWorker.ready;
      const shown = await navigator.locks.request(lock, () => registration.getNotifications());
      if (closes) for (const one of shown) one.close();
      const told = shown as (Notification & { image?: string })[];
      return told.map(({ icon, image = "" }) => [icon.replace(/^.*\//, "./"), image]);
    },
    [NOTIFICATION_LOCK, closes] as const,
  );
}
