import type { Page } from "@playwright/test";
import { expect, subscribe, test } from "./fixtures";

// Nothing may be stored, not even that the first steps are done.
test.use({ firstSteps: true });

const APP_FILE = /\/assets\/app-[^/]*\.js$/;

/** Names of the build's files that a page has asked for, without their hashes. */
function filesOf(page: Page): Set<string> {
  const files = new Set<string>();
  page.on("request", (request) => {
    const [, name] = /\/assets\/([\w.-]+?)-[\w-]{8}\.(?:js|css)$/.exec(request.url()) ?? [];
    if (name !== undefined) files.add(name);
  });
  return files;
}

/** Holds the app's own script back, or other files, until the returned function is called. */
async function holdApp(page: Page, files = APP_FILE): Promise<() => void> {
  let goOn: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (goOn = resolve));
  await page.route(files, async (route) => {
    await held;
    await route.continue();
  });
  return goOn;
}

/** What is on the screen: elements with their places, colours and own texts. */
function drawn(): string[] {
  return [...document.querySelectorAll("main *")]
    .filter((element) => element.checkVisibility() && !element.matches("path, .square"))
    .map((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      const { color, backgroundColor, fontSize } = getComputedStyle(element);
      const own = [...element.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE);
      const text = own.map(({ nodeValue }) => nodeValue?.trim()).join("");
      return [element.tagName, x, y, width, height, color, backgroundColor, fontSize, text].join(" ");
    });
}

/** The links and buttons of the rail or the bar, wherever they stand in the page. */
function aroundView(): string[] {
  return [...document.querySelectorAll("nav :is(a, button, path)")].map((element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return [element.tagName, x, y, width, height, getComputedStyle(element).color, element.textContent.trim()].join(
      " ",
    );
  });
}

const painted = (page: Page) => page.locator("body > div.frame");
const SCREENS = [
  { fragment: "", heading: "What do you want to be within earshot of?" },
  { fragment: "#/backups", heading: "Subscribe to this topic?" },
];

test.describe("a first visit", () => {
  for (const { fragment, heading } of SCREENS) {
    const name = fragment || "the start screen";
    for (const [width, height] of [
      [390, 844],
      [800, 700],
      [1280, 800],
    ] as const) {
      test(`shows its screen before any script came, and the app draws the same, ${width} px wide: ${name}`, async ({
        server,
        page,
      }) => {
        await page.setViewportSize({ width, height });
        const goOn = await holdApp(page, /\/assets\/.*\.js$/);
        await page.goto(`${server.url}${fragment}`, { waitUntil: "commit" });
        await expect(painted(page).getByText(heading)).toBeVisible();
        // Nothing is painted before the style sheet came.
        await page.waitForFunction(() => document.styleSheets.length > 0);
        const before = await page.evaluate(drawn);
        expect(before.length).toBeGreaterThan(15);
        goOn();
        await expect(page.getByRole("heading", { level: 1, name: heading })).toBeVisible();
        await expect(painted(page).locator("main")).toHaveCount(0);
        expect(await page.evaluate(drawn)).toEqual(before);
      });
    }
  }

  test("keeps what is typed into its screen and pressed before the app came", async ({ server, page }) => {
    await server.publish("backups", "held by the server");
    const goOn = await holdApp(page);
    await page.goto(server.url, { waitUntil: "commit" });
    const field = painted(page).getByRole("textbox", { name: "Topic" });
    await field.pressSequentially("backup");
    await field.press("Enter");
    await expect(painted(page).getByRole("button", { name: "Subscribe" })).toHaveAttribute("aria-busy", "true");
    await field.pressSequentially("s");
    await field.press("Enter");
    goOn();
    await expect(page.getByRole("article").filter({ hasText: "held by the server" })).toBeVisible();
  });

  for (const way of ["mouse", "keyboard"] as const) {
    test(`carries out a press by ${way} that the app comes in the middle of`, async ({ server, page }) => {
      await server.publish("backups", "held by the server");
      const goOn = await holdApp(page);
      await page.goto(`${server.url}#/backups`, { waitUntil: "commit" });
      const button = painted(page).getByRole("button", { name: "Subscribe" });
      await (way === "mouse" ? button.hover() : button.focus());
      await (way === "mouse" ? page.mouse.down() : page.keyboard.down("Space"));
      goOn();
      await expect(page.locator("#app main")).toBeAttached();
      // The app has drawn its own screen below, and would have taken over within this task.
      await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
      await (way === "mouse" ? page.mouse.up() : page.keyboard.up("Space"));
      await expect(page.getByRole("article").filter({ hasText: "held by the server" })).toBeVisible();
    });
  }

  test("keeps text, selection and focus of its field", async ({ server, page }) => {
    const goOn = await holdApp(page);
    await page.goto(server.url, { waitUntil: "commit" });
    await painted(page).getByRole("textbox", { name: "Topic" }).fill("backups");
    await page.keyboard.press("Shift+ArrowLeft");
    goOn();
    await expect(painted(page).locator("main")).toHaveCount(0);
    const field = page.locator("#app").getByRole("textbox", { name: "Topic" });
    await expect(field).toBeFocused();
    await page.keyboard.type("!");
    await expect(field).toHaveValue("backup!");
  });

  test("keeps what was chosen in a link's preview", async ({ server, page }) => {
    const goOn = await holdApp(page);
    await page.goto(`${server.url}#/backups`, { waitUntil: "commit" });
    await painted(page).getByText("From now on").click();
    goOn();
    await expect(painted(page).locator("main")).toHaveCount(0);
    await expect(page.locator("#app").getByRole("radio", { name: "From now on" })).toBeChecked();
  });

  test("shows from the beginning what stands around its screen, and keeps it once somebody is there", async ({
    server,
    page,
  }) => {
    // The last thing that a visit loads by itself.
    const atRest = page.waitForRequest(/workbox-window/);
    await page.goto(server.url);
    await expect(painted(page).locator("main")).toHaveCount(0);
    const rail = page.getByRole("navigation", { name: "Topics and views" });
    await expect(rail.getByRole("link", { name: "Settings" })).toBeVisible();
    await atRest;
    const before = await page.evaluate(aroundView);
    await page.mouse.move(640, 400);
    await expect(painted(page)).toHaveCount(0);
    expect(await page.evaluate(aroundView)).toEqual(before);
    await rail.getByRole("link", { name: "Settings" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Settings" })).toBeVisible();
  });

  for (const { fragment } of SCREENS) {
    test(`rests with these files and no others: ${fragment || "the start screen"}`, async ({ server, page }) => {
      const files = filesOf(page);
      const atRest = page.waitForRequest(/workbox-window/);
      await page.goto(`${server.url}${fragment}`);
      await atRest;
      const ofApp = ["app", "begin", "rolldown-runtime", "style", "topics"];
      expect([...files].sort()).toEqual([...ofApp, "workbox-window.prod.es5"]);
    });
  }

  test("that a deploy replaced before the press says so, and subscribes once the page was loaded again", async ({
    server,
    page,
    watch,
  }) => {
    watch.tolerate(/404|Failed to/);
    await page.goto(`${server.url}#/backups`);
    await expect(painted(page).locator("main")).toHaveCount(0);
    const hub = /\/assets\/worker-[^/]*\.js$/;
    await page.context().route(hub, (route) => route.fulfill({ status: 404, body: "" }));
    await page.getByRole("button", { name: "Subscribe", exact: true }).click();
    await expect(page.getByRole("main").getByRole("alert")).toBeVisible();
    await page.context().unroute(hub);
    await page.reload();
    await page.getByRole("button", { name: "Subscribe", exact: true }).click();
    await expect(page.getByRole("main").getByText("Live", { exact: true })).toBeVisible();
  });

  test("in one tab goes on as a feed once another tab has subscribed", async ({ server, page }) => {
    await page.goto(`${server.url}#/backups`);
    await expect(painted(page).locator("main")).toHaveCount(0);
    const other = await page.context().newPage();
    await other.goto(`${server.url}#/backups`);
    await other.getByRole("button", { name: "Subscribe", exact: true }).click();
    await expect(page.getByRole("main").getByText("Live", { exact: true })).toBeVisible();
    await other.close();
    await server.publish("backups", "to the first tab");
    await expect(page.getByRole("article").filter({ hasText: "to the first tab" })).toBeVisible();
  });

  test("in the middle of a deploy says so, and goes on with the new version", async ({ server, page, watch }) => {
    watch.tolerate(/404|Failed to/);
    const file = /\/assets\/topics-[^/]*\.js$/;
    await page.route(file, (route) => route.fulfill({ status: 404, body: "" }));
    await page.goto(`${server.url}#/backups`);
    const alert = page.getByRole("alert");
    await expect(alert).toBeVisible();
    await expect(painted(page)).toHaveCount(0);
    await page.unroute(file);
    await alert.getByRole("button", { name: "Try again" }).click();
    await expect(page.getByRole("button", { name: "Subscribe", exact: true })).toBeVisible();
  });

  test("carries out a press that came before the app", async ({ server, page }) => {
    await server.publish("backups", "held by the server");
    const goOn = await holdApp(page);
    await page.goto(`${server.url}#/backups`, { waitUntil: "commit" });
    const box = await painted(page).getByText("Subscribe", { exact: true }).boundingBox();
    if (!box) throw new Error("There is no button.");
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    goOn();
    await expect(page.getByRole("article").filter({ hasText: "held by the server" })).toBeVisible();
  });

  test("says on top of its screen that the app could not start", async ({ server, page, watch }) => {
    watch.tolerate(/broken|ERR_|Failed to/);
    await page.route(APP_FILE, (route) =>
      route.fulfill({ contentType: "text/javascript", body: 'throw new Error("broken");' }),
    );
    await page.goto(`${server.url}#/backups`);
    await expect(page.getByRole("alert")).toContainText("Earshot could not start.");
    await expect(page.getByRole("alert").getByRole("button", { name: "Try again" })).toBeVisible();
    await expect(painted(page)).toHaveCount(0);
  });

  for (const fragment of ["#/a,b", "#/~settings", "#/backups?priority=high", "#/example.com/a", "#/<b>"]) {
    test(`waits for the app where a link is not just one topic of this server: ${fragment}`, async ({
      server,
      page,
    }) => {
      const goOn = await holdApp(page);
      const asked = page.waitForRequest(APP_FILE);
      await page.goto(`${server.url}${fragment}`, { waitUntil: "commit" });
      await asked;
      await page.evaluate(() => indexedDB.databases());
      await expect(painted(page)).toHaveCount(0);
      goOn();
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await expect(painted(page)).toHaveCount(0);
    });
  }

  test("without storage and without service workers shows its screen too, and carries out an early press", async ({
    server,
    page,
  }) => {
    await page.addInitScript(() => {
      const deny = () => {
        throw new DOMException("denied", "SecurityError");
      };
      Object.defineProperty(window, "localStorage", { get: deny });
      Object.defineProperty(window, "indexedDB", { value: { open: deny } });
      Reflect.deleteProperty(Navigator.prototype, "serviceWorker");
      for (const name of ["BroadcastChannel", "SharedWorker"]) Object.defineProperty(window, name, { value: deny });
    });
    const goOn = await holdApp(page);
    await page.goto(`${server.url}#/backups`, { waitUntil: "commit" });
    const box = await painted(page).getByText("Subscribe", { exact: true }).boundingBox();
    if (!box) throw new Error("There is no button.");
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    goOn();
    await expect(page.getByRole("heading", { level: 1, name: "backups" })).toBeVisible();
  });
});

test.describe("in German", () => {
  test.use({ locale: "de-DE" });

  test("the first screen is in German from the beginning", async ({ server, page }) => {
    const goOn = await holdApp(page);
    await page.goto(`${server.url}#/backups`, { waitUntil: "commit" });
    await expect(painted(page).getByText("Abonnieren", { exact: true })).toBeVisible();
    goOn();
    await expect(page.getByRole("button", { name: "Abonnieren" })).toBeVisible();
  });
});

test.describe("in a language that the page has no screens in", () => {
  test.use({ locale: "ar" });

  for (const width of [390, 1100]) {
    test(`the English screen gives way as a whole, before anybody does anything, ${width} px wide`, async ({
      server,
      page,
    }) => {
      await page.setViewportSize({ width, height: 800 });
      const goOn = await holdApp(page);
      await page.goto(`${server.url}#/backups`, { waitUntil: "commit" });
      await expect(painted(page).getByRole("heading", { name: "Subscribe to this topic?" })).toBeVisible();
      await page.evaluate(() => {
        new MutationObserver(() => {
          const isMixed =
            document.querySelector("#app main") !== null &&
            document.querySelector("#painted > *")?.checkVisibility({ visibilityProperty: true });
          if (isMixed) Reflect.set(window, "wasMixed", true);
        }).observe(document.body, { childList: true, subtree: true, attributes: true });
      });
      goOn();
      await expect(page.locator("#app nav")).toBeVisible();
      await expect(painted(page)).toHaveCount(0);
      expect(await page.evaluate(() => Reflect.get(window, "wasMixed") as unknown)).toBeUndefined();
    });
  }
});

test("nothing of the first screen shows where something is stored, even if local storage was cleared", async ({
  server,
  page,
}) => {
  await subscribe(page, server, "backups");
  await expect(page.getByRole("main").getByText("Live", { exact: true })).toBeVisible();
  await page.goto("about:blank");
  await page.addInitScript(() => {
    // Not before, as a page that is left still writes.
    localStorage.clear();
    // It may be there unseen, while the browser looks for the database.
    new MutationObserver(() => {
      const painted = document.querySelector("body > div.frame");
      if (painted) Reflect.set(window, "wasThere", true);
      if (painted?.checkVisibility({ visibilityProperty: true })) Reflect.set(window, "wasPainted", true);
    }).observe(document, { childList: true, subtree: true, attributes: true });
  });
  await page.goto(server.url);
  await expect(page.getByRole("main").getByText("Live", { exact: true })).toBeVisible();
  const was = (what: string) => page.evaluate((what) => Reflect.get(window, what) as unknown, what);
  expect(await was("wasThere")).toBe(true);
  expect(await was("wasPainted")).toBeUndefined();
  await expect(painted(page)).toHaveCount(0);
});
