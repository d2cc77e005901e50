import type { Page } from "@playwright/test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { leave, setPermissions, titles } from "./closed-app";
import { DIST, type TestServer } from "./fixtures";
import { chooseInMenu, keptOffline, message } from "./on-screen";
import { PushService } from "./push-service";
import { expect, forwardTo, json, subscribe, test as base, type ScriptedServer } from "./scripted-server";

const test = base.extend<{ service: PushService }>({
  service: async ({}, use) => {
    const service = await PushService.start();
    await use(service);
    await service.stop();
  },
});

test.use({ serverOptions: { webPush: { allowLoopback: true } }, serviceWorkers: "allow" });

/** Opens the settings of the server that is shown. */
async function openSettings(page: Page): Promise<void> {
  await chooseInMenu(page, "Server settings");
  await expect(page.getByRole("heading", { name: "With the app closed" })).toBeVisible();
}

const receive = (page: Page) => page.getByRole("checkbox", { name: "Receive with the app closed" });

/** A page with a topic whose pushes are on. */
async function turnedOn(page: Page, server: TestServer, service: PushService): Promise<void> {
  await page.context().grantPermissions(["notifications"], { origin: server.url });
  // Nobody looks at it: another window is in front.
  await page.context().addInitScript(() => (Document.prototype.hasFocus = () => false));
  await service.attach(page);
  await subscribe(page, server, "alerts");
  await keptOffline(page);
  await openSettings(page);
  await receive(page).click();
  await expect(receive(page)).toBeChecked();
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
}

/** How many alerts nobody has shown yet, or left unshown because their user sees the messages. */
const openClaims = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const opening = indexedDB.open("earshot");
        opening.onsuccess = () => {
          const counting = opening.result.transaction("claims").objectStore("claims").count();
          counting.onsuccess = () => {
            opening.result.close();
            resolve(counting.result);
          };
        };
      }),
  );

test("pushes with the app closed", async ({ server, page, service, watch }) => {
  watch.tolerate(/favicon/);
  await turnedOn(page, server, service);
  await test.step("a message that comes with the app closed is stored, shown once, and there when it opens", async () => {
    await leave(page, server);
    const event = await server.publish("alerts", "fire in the kitchen", { title: "Fire", tags: ["warning"] });
    await expect.poll(() => titles(page)).toEqual(["⚠️ Fire · alerts"]);
    await service.deliver(JSON.stringify({ event: "message", message: event }));
    await page.goto(`${server.url}#/alerts`);
    await expect(message(page, "fire in the kitchen")).toHaveCount(1);
    expect(await titles(page)).toEqual(["⚠️ Fire · alerts"]);
    // Read here, it goes from the screen, though another registration showed it.
    await message(page, "fire in the kitchen").click();
    await expect.poll(() => titles(page)).toEqual([]);
  });
  await test.step("a deleted message takes its notification away with the app closed", async () => {
    await leave(page, server);
    await server.curl("alerts", "door open", { "X-Title": "Door", "X-Sequence-ID": "door" });
    await expect.poll(() => titles(page)).toEqual(["Door · alerts"]);
    const answer = await fetch(`${server.url}alerts/door`, { method: "DELETE" });
    expect(answer.status).toBe(200);
    await expect.poll(() => titles(page)).toEqual([]);
  });
  await test.step("a push of anything but a message of a topic here shows and stores nothing", async () => {
    await leave(page, server);
    const foreign = { event: "message", id: "abcdefghijkl", time: 1, topic: "elsewhere", message: "not ours" };
    for (const text of [
      "",
      "{",
      "[]",
      "null",
      '{"event":"message"}',
      JSON.stringify({ event: "message", message: foreign }),
    ])
      await service.deliver(text);
    await server.publish("alerts", "a real one", { title: "Real" });
    await expect.poll(() => titles(page)).toEqual(["Real · alerts"]);
    await page.goto(`${server.url}#/`);
    await expect(message(page, "a real one")).toHaveCount(1);
    await expect(message(page, "not ours")).toHaveCount(0);
  });
  await test.step("a push that finds the database of a newer version is shown anyway, though the host of the app is gone", async () => {
    await message(page, "a real one").click();
    await expect.poll(() => titles(page)).toEqual([]);
    await leave(page, server);
    await expect(async () => {
      const answer = await page.evaluate(
        () =>
          new Promise((resolve) => {
            const opening = indexedDB.open("earshot", 1_000);
            opening.onsuccess = () => {
              opening.result.close();
              resolve("newer");
            };
            opening.onblocked = () => resolve("blocked");
          }),
      );
      expect(answer).toBe("newer");
    }).toPass();
    watch.tolerate(/The database has another version/);
    // Nor does it make way for a version that can't open this database either.
    const state = await page.evaluate(async () => {
      const all = await navigator.serviceWorker.getRegistrations();
      const scope = all.find((one) => one.scope.includes("/push/"))?.scope ?? "";
      const policy = trustedTypes?.createPolicy("earshot-script-url", { createScriptURL: (url) => url });
      const url = policy?.createScriptURL("./push-sw.js?another") as unknown as string;
      const { installing } = await navigator.serviceWorker.register(url, { scope });
      await new Promise((resolve) => installing?.addEventListener("statechange", resolve));
      return installing?.state;
    });
    expect(state).toBe("redundant");
    await server.stop();
    const event = { id: "abcdefghijkl", time: 1, event: "message", topic: "alerts", title: "Fire", message: "kitchen" };
    await service.deliver(JSON.stringify({ event: "message", message: event }));
    await expect.poll(() => titles(page)).toEqual(["Fire"]);
    await server.start();
  });
  await test.step("a push that finds the storage evicted ends its registration", async () => {
    await expect(async () => {
      const answer = await page.evaluate(
        () =>
          new Promise((resolve) => {
            const gone = indexedDB.deleteDatabase("earshot");
            gone.onsuccess = () => resolve("gone");
            gone.onblocked = () => resolve("blocked");
          }),
      );
      expect(answer).toBe("gone");
    }).toPass();
    await service.deliver('{"event":"keepalive"}');
    await expect.poll(() => service.scope).toBeUndefined();
    expect(await titles(page), "nothing more is shown").toEqual([]);
  });
});

test("a message an open tab has shown isn't shown by a push too, and can be removed by one", async ({
  server,
  page,
  service,
  watch,
}) => {
  watch.tolerate(/favicon/);
  await turnedOn(page, server, service);
  service.delivers = false;
  const ids: string[] = [];
  await expect(async () => {
    ids.push((await server.publish("alerts", "by the stream", { title: "Stream" })).id);
    await expect.poll(() => titles(page), { timeout: 2_000 }).not.toEqual([]);
  }).toPass();
  const shown = await titles(page);
  for (const text of service.received) await service.deliver(text);
  // This push comes last, and is shown, so the others have been dealt with.
  await server.publish("alerts", "a last one", { title: "Last" });
  await expect.poll(() => titles(page)).toEqual([...shown, "Last · alerts"].sort());
  // The user sees this one arrive, which no stream brings.
  await page.evaluate(() => (Document.prototype.hasFocus = () => true));
  await page.mouse.move(5, 5);
  const seen = { id: "bypushalone1", time: Math.floor(Date.now() / 1_000), event: "message", topic: "alerts" };
  const pushed = { event: "message", message: { ...seen, title: "Push", message: "by the push alone" } };
  await service.deliver(JSON.stringify(pushed));
  await expect(message(page, "by the push alone")).toBeVisible();
  await expect.poll(() => openClaims(page)).toBe(0);
  expect(await titles(page)).not.toContain("Push · alerts");
  await leave(page, server);
  service.delivers = true;
  for (const id of ids) expect((await fetch(`${server.url}alerts/${id}`, { method: "DELETE" })).status).toBe(200);
  await expect.poll(() => titles(page)).toEqual(["Last · alerts"]);
});

test("pushes end and go on with the permission, come for new topics too, and not at all while they are off", async ({
  server,
  page,
  service,
}) => {
  await test.step("without the permission the settings say what that means, and once it is given again pushes go on", async () => {
    await turnedOn(page, server, service);
    const posts = () =>
      server.requests.filter(({ method, path }) => method === "POST" && path.startsWith("/v1/webpush")).length;
    expect(posts()).toBe(1);
    await openSettings(page);
    await setPermissions(page, server, ["notifications"], "denied");
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByText("Notifications are blocked for this site", { exact: false })).toBeVisible();
    await expect(
      dialog.getByText("It resumes by itself once you allow notifications.", { exact: false }),
    ).toBeVisible();
    // Browsers end the registration with the permission.
    await page.evaluate(() => localStorage.removeItem("test push"));
    await setPermissions(page, server, ["notifications"], "granted");
    await expect(receive(page)).toBeChecked();
    await expect.poll(posts).toBe(2);
    await server.publish("alerts", "heard again");
    await expect.poll(() => service.received.some((text) => text.includes("heard again"))).toBe(true);
    await page.keyboard.press("Escape");
  });
  await test.step("new topics are pushed too, and with pushes off nothing is", async () => {
    await subscribe(page, server, "doors");
    await expect(async () => {
      await server.publish("doors", "open");
      await expect.poll(() => service.received.some((text) => text.includes('"doors"')), { timeout: 1_000 }).toBe(true);
    }).toPass();
    await openSettings(page);
    await receive(page).click();
    await expect(receive(page)).not.toBeChecked();
    expect(service.scope).toBeUndefined();
    const before = service.received.length;
    await server.publish("alerts", "nobody is told");
    await expect(message(page, "nobody is told").or(page.getByText("doors").first())).toBeVisible();
    expect(service.received).toHaveLength(before);
  });
  await test.step("two tabs that turn it on at once make one registration", async () => {
    const other = await page.context().newPage();
    await other.goto(`${server.url}#/alerts`);
    await openSettings(other);
    await Promise.all([page, other].map((tab) => receive(tab).click()));
    for (const tab of [page, other]) await expect(receive(tab)).toBeChecked();
    const scopes = await page.evaluate(async () =>
      (await navigator.serviceWorker.getRegistrations())
        .map(({ scope }) => scope)
        .filter((scope) => /push/.test(scope)),
    );
    expect(scopes).toHaveLength(1);
    service.delivers = false;
    const before = service.received.length;
    await server.publish("alerts", "once");
    await expect.poll(() => service.received.slice(before)).toHaveLength(1);
  });
});

test("a test whose push is lost registers the device again, and says so", async ({ server, page, service }) => {
  await page.clock.install();
  await turnedOn(page, server, service);
  service.delivers = false;
  await openSettings(page);
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Test pushes" }).click();
  await expect.poll(() => service.received.length, "it goes the whole way").toBe(1);
  const again = dialog.getByText("so this device was registered again", { exact: false });
  await expect(async () => {
    await page.clock.fastForward(31_000);
    await expect(again).toBeVisible({ timeout: 1_000 });
  }).toPass();
  service.delivers = true;
  await dialog.getByRole("button", { name: "Test pushes" }).click();
  await expect(dialog.getByText(/The push arrived after/)).toBeVisible();
});

/** A server as older ones are: only its script tells its key. @param script answers it; absent = the server behind it */
function olderServer(
  scripted: ScriptedServer,
  behind: TestServer,
  script?: (response: Parameters<ScriptedServer["answer"]>[1]) => void,
): void {
  const forward = forwardTo(behind.host);
  scripted.answer = (asked, response) => {
    if (asked.url === "/v1/config") json(response, 404, { code: 40401, http: 404, error: "page not found" });
    else if (asked.url === "/config.js" && script) script(response);
    else return forward(asked, response);
    return true;
  };
}

/** Subscribes to a topic there, and opens the settings of that server. */
async function atOlderServer(page: Page, server: TestServer, scripted: ScriptedServer): Promise<void> {
  await page.goto(`${server.url}#/http:${scripted.host}/doors`);
  await page.getByRole("button", { name: "Subscribe" }).click();
  await keptOffline(page);
  await openSettings(page);
}

test("where it can't be turned on, the settings say why; an older server's key is read from its script", async ({
  server,
  page,
  service,
  scripted,
  startOther,
}) => {
  await page.context().grantPermissions(["notifications"], { origin: server.url });
  await service.attach(page);
  const other = await startOther();
  await subscribe(page, server, "alerts");
  await page.goto(`${server.url}#/http:${other.host}/doors`);
  await page.getByRole("button", { name: "Subscribe" }).click();
  await keptOffline(page);
  await openSettings(page);
  await expect(page.getByText("This server sends no pushes."), "before anything is pressed").toBeVisible();
  await expect(receive(page)).toHaveCount(0);
  await page.keyboard.press("Escape");
  await page.evaluate(() => localStorage.setItem("test push fails", "yes"));
  await page.goto(`${server.url}#/alerts`);
  await openSettings(page);
  await receive(page).click();
  await expect(page.getByText("The browser's push service can't be reached.")).toBeVisible();
  await expect(receive(page)).not.toBeChecked();
  expect(service.scope).toBeUndefined();
  await page.keyboard.press("Escape");
  await page.evaluate(() => localStorage.removeItem("test push fails"));

  await test.step("an older server's key is read from its script, in a frame that is gone afterwards", async () => {
    const older = await startOther({ webPush: { allowLoopback: true } });
    olderServer(scripted, older);
    await atOlderServer(page, server, scripted);
    expect(scripted.asked(/config\.js/), "not before the press").toBe(0);
    await receive(page).click();
    await expect(receive(page)).toBeChecked();
    await expect(page.locator("iframe")).toHaveCount(0);
    await older.publish("doors", "the garage is open", { title: "Garage" });
    await expect.poll(() => service.received.length).toBe(1);
  });
});

test("a script that gives no key, or does harm, changes nothing, and the key can be given by hand", async ({
  server,
  page,
  service,
  scripted,
  startOther,
  watch,
}) => {
  // The one of them that asks for more, and doesn't wait for the answer.
  watch.tolerate(/Failed to fetch\s+at <anonymous> \(\S+\/config\.js/);
  await page.context().grantPermissions(["notifications"], { origin: server.url });
  await service.attach(page);
  const other = await startOther({ webPush: { allowLoopback: true } });
  const { web_push_public_key: key } = (await (await fetch(`${other.url}v1/config`)).json()) as Record<string, string>;
  const elsewhere = await startOther();
  let said = "var config = { enable_web_push: true, ";
  let isEnded = false;
  let isGone = false;
  olderServer(scripted, other, (response) => {
    response.on("close", () => (isGone = true));
    response.writeHead(200, { "Content-Type": "text/javascript" });
    response.write(said);
    if (isEnded) response.end();
  });
  await atOlderServer(page, server, scripted);
  await test.step("one whose answer never ends is given up after five seconds, and its frame and request are gone", async () => {
    await receive(page).click();
    await expect(page.locator("iframe")).toHaveCount(1);
    await expect(page.getByText("This server did not give its key for pushes.")).toBeVisible();
    await expect(page.locator("iframe")).toHaveCount(0);
    await expect.poll(() => isGone, "the request ends with the frame").toBe(true);
    await expect(receive(page)).not.toBeChecked();
    await expect(page.getByRole("textbox", { name: "Public key" })).toBeVisible();
    isEnded = true;
  });
  const address = page.url();
  const windows = page.context().pages().length;
  const messages = page.evaluate(
    () => new Promise((resolve) => addEventListener("message", ({ data }) => resolve(data), { once: true })),
  );
  for (const script of [
    "throw new Error('no')",
    "for (;;);",
    "var config = { enable_web_push: true, web_push_public_key: 'no key' }",
    `var config = { enable_web_push: true, web_push_public_key: "${"B".repeat(10_000_000)}" }`,
    "var config = { get web_push_public_key() { throw 1 } }",
    "var config = { web_push_public_key: () => 1 }",
    "var config = null",
    "postMessage({ web_push_public_key: 7 })",
    `alert(1); parent.postMessage({ web_push_public_key: '${key}' }, '*'); top.location = '${elsewhere.url}'`,
    `open('${elsewhere.url}'); location = '${elsewhere.url}'`,
    `importScripts('${elsewhere.url}elsewhere.js'); var config = { web_push_public_key: '${key}' }`,
    `fetch('${elsewhere.url}'); new WebSocket('ws://${elsewhere.host}/'); throw 1`,
    "<!doctype html>",
  ]) {
    said = script;
    const before = scripted.asked(/config\.js/);
    await receive(page).click();
    await expect(page.getByText("This server did not give its key for pushes."), script).toBeVisible();
    expect(scripted.asked(/config\.js/)).toBe(before + 1);
    await expect(receive(page)).not.toBeChecked();
    await expect(page.locator("iframe")).toHaveCount(0);
  }
  expect(elsewhere.requests).toEqual([]);
  expect(page.url()).toBe(address);
  expect(page.context().pages()).toHaveLength(windows);
  expect(await Promise.race([messages, Promise.resolve("none")])).toBe("none");
  expect(service.scope).toBeUndefined();
  const field = page.getByRole("textbox", { name: "Public key" });
  await field.fill("no key");
  await page.getByRole("button", { name: "Use this key" }).click();
  await expect(page.getByRole("alert")).toContainText("This isn't a key for pushes");
  await field.fill(` ${key ?? ""} `);
  await field.press("Enter");
  await expect(receive(page)).toBeChecked();
  await expect(field).toHaveCount(0);
  await other.publish("doors", "the garage is open", { title: "Garage" });
  await expect.poll(() => service.received.length).toBe(1);
});

test("the page that runs such a script runs none outside a sandbox, on a host that sends no policy", async ({
  server,
  page,
  scripted,
  watch,
}) => {
  watch.tolerate(/favicon/);
  const html = readFileSync(join(DIST, "server-key.html"));
  scripted.answer = (asked, response) => {
    response.writeHead(200, { "Content-Type": "text/html" });
    response.end(asked.url === "/server-key.html" ? html : "<title>Somewhere</title>");
    return true;
  };
  await page.goto(`${scripted.url}/`);
  const answers = await page.evaluate(async (url) => {
    const ask = async (sandbox: string | undefined): Promise<unknown> => {
      const frame = document.createElement("iframe");
      if (sandbox !== undefined) frame.setAttribute("sandbox", sandbox);
      frame.src = "./server-key.html";
      document.body.append(frame);
      await new Promise((resolve) => (frame.onload = resolve));
      const { port1, port2 } = new MessageChannel();
      const answer = new Promise((resolve) => (port1.onmessage = ({ data }) => resolve(data)));
      frame.contentWindow?.postMessage(url, "*", [port2]);
      return answer;
    };
    const outside = Promise.race([ask(undefined), ask("allow-scripts allow-same-origin")]);
    const inside = await ask("allow-scripts");
    return { inside, outside: await Promise.race([outside, Promise.resolve("none")]) };
  }, `${server.url}config.js`);
  expect(answers).toEqual({
    inside: { enable_web_push: true, web_push_public_key: expect.stringMatching(/^B[\w-]{86}$/) as unknown },
    outside: "none",
  });
  expect(server.requests.filter(({ path }) => path === "/config.js")).toHaveLength(1);
});
