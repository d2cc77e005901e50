import type { Page } from "@playwright/test";
import { expect, subscribe, test } from "./fixtures";

// Nothing may be stored, not even that the first steps are done.
test.use({ firstSteps: true });

const APP_FILE = /\/assets\/app-[^/]*\.js$/;

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
  return [...document.querySelectorAll("#app *")]
    .filter((element) => element.checkVisibility() && !element.matches("path, .square"))
    .map((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      const { color, backgroundColor, fontSize } = getComputedStyle(element);
      const own = [...element.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE);
      const text = own.map(({ nodeValue }) => nodeValue?.trim()).join("");
      return [element.tagName, x, y, width, height, color, backgroundColor, fontSize, text].join(" ");
    });
}

/** Loads a page anew, also where only the fragment differs from the page before; resolves before its scripts came. */
async function visit(page: Page, address: string): Promise<void> {
  await page.goto("about:blank");
  await page.goto(address, { waitUntil: "commit" });
}

/** Waits until the app has drawn its screen. */
const started = (page: Page) => expect(page.locator("html")).toHaveAttribute("data-theme");

const SCREENS = [
  { fragment: "", heading: "What do you want to be within earshot of?" },
  { fragment: "#/backups", heading: "Subscribe to this topic?" },
];

test.describe("a first visit", () => {
  test("shows its screen before any script came, and the app takes it over, at any width", async ({ server, page }) => {
    for (const { fragment, heading } of SCREENS) {
      for (const [width, height] of [
        [390, 844],
        [800, 700],
        [1280, 800],
      ] as const) {
        await test.step(`${fragment || "the start screen"}, ${width} px wide`, async () => {
          await page.setViewportSize({ width, height });
          const goOn = await holdApp(page, /\/assets\/.*\.js$/);
          await visit(page, `${server.url}${fragment}`);
          const title = page.getByRole("heading", { level: 1, name: heading });
          await expect(title).toBeVisible();
          // Nothing is painted before the style sheet came.
          await page.waitForFunction(() => document.styleSheets.length > 0);
          const before = await page.evaluate(drawn);
          expect(before.length).toBeGreaterThan(30);
          const isThere = await title.elementHandle();
          goOn();
          await started(page);
          expect(await page.evaluate(drawn)).toEqual(before);
          expect(await isThere?.evaluate((element) => element.isConnected), "the same elements").toBe(true);
        });
      }
    }
  });

  test("keeps what is typed into its screen and pressed before the app came", async ({ server, page }) => {
    await server.publish("backups", "held by the server");
    const goOn = await holdApp(page);
    await page.goto(server.url, { waitUntil: "commit" });
    const field = page.getByRole("textbox", { name: "Topic" });
    await field.pressSequentially("backup");
    await field.press("Enter");
    await expect(page.getByRole("button", { name: "Subscribe" })).toHaveAttribute("aria-busy", "true");
    await field.pressSequentially("s");
    await field.press("Enter");
    goOn();
    await expect(page.getByRole("article").filter({ hasText: "held by the server" })).toBeVisible();
  });

  for (const way of ["mouse", "keyboard"] as const) {
    test(`carries out a press by ${way} during which the app arrives`, async ({ server, page }) => {
      await server.publish("backups", "held by the server");
      const goOn = await holdApp(page);
      await page.goto(`${server.url}#/backups`, { waitUntil: "commit" });
      const button = page.getByRole("button", { name: "Subscribe" });
      await (way === "mouse" ? button.hover() : button.focus());
      await (way === "mouse" ? page.mouse.down() : page.keyboard.down("Space"));
      goOn();
      await started(page);
      await (way === "mouse" ? page.mouse.up() : page.keyboard.up("Space"));
      await expect(page.getByRole("article").filter({ hasText: "held by the server" })).toBeVisible();
    });
  }

  test("whose app comes late carries out and keeps what was done before, and says if the app could not start", async ({
    server,
    page,
    watch,
  }) => {
    await test.step("only the last press, and only once", async () => {
      const goOn = await holdApp(page);
      await visit(page, server.url);
      await page.getByRole("button", { name: "Subscribe" }).click();
      await page.getByRole("button", { name: "Random name" }).click();
      goOn();
      const field = page.getByRole("textbox", { name: "Topic" });
      await expect(field).not.toHaveValue("");
      const drawn = await field.inputValue();
      await started(page);
      await expect(field).toHaveValue(drawn);
      await expect(page.locator("[aria-busy]")).toHaveCount(0);
      await expect(page.getByRole("button", { name: "Subscribe" })).toBeVisible();
    });
    await test.step("text, selection and focus of its field", async () => {
      const goOn = await holdApp(page);
      await visit(page, server.url);
      const field = page.getByRole("textbox", { name: "Topic" });
      await field.fill("doors");
      await page.keyboard.press("Shift+ArrowLeft");
      goOn();
      await started(page);
      await expect(field).toBeFocused();
      await page.keyboard.type("x");
      await expect(field).toHaveValue("doorx");
      await expect(page.getByText(/^curl /)).toContainText("/doorx");
    });
    await test.step("the way that a link leads", async () => {
      const goOn = await holdApp(page);
      await visit(page, server.url);
      await page.getByRole("link", { name: "Settings" }).click();
      goOn();
      await expect(page.getByRole("heading", { level: 1, name: "Settings" })).toBeVisible();
      await expect(page.getByText(SCREENS[0]?.heading ?? "")).toHaveCount(0);
    });
    await test.step("waits for the app where a link is not just one topic of this server", async () => {
      for (const fragment of ["#/a,b", "#/~settings", "#/backups?priority=high", "#/example.com/a", "#/<b>"]) {
        await test.step(fragment, async () => {
          const goOn = await holdApp(page);
          const asked = page.waitForRequest(APP_FILE);
          await visit(page, `${server.url}${fragment}`);
          await asked;
          await expect(page.locator("#app")).toBeEmpty();
          goOn();
          await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
        });
      }
    });
    await test.step("says at the top of its screen that the app could not start", async () => {
      watch.tolerate(/broken|ERR_|Failed to/);
      await page.route(APP_FILE, (route) =>
        route.fulfill({ contentType: "text/javascript", body: 'throw new Error("broken");' }),
      );
      await visit(page, `${server.url}#/backups`);
      await expect(page.getByRole("alert")).toContainText("Earshot could not start.");
      await expect(page.getByRole("alert").getByRole("button", { name: "Try again" })).toBeVisible();
      await expect(page.getByRole("heading", { name: "Subscribe to this topic?" }), "the words stay").toBeVisible();
      await page.unrouteAll();
    });
    await test.step("keeps what was chosen in a link's preview", async () => {
      // A subscription from now on begins with the second in which it was made.
      await server.publish("backups", "from before", { time: Math.floor(Date.now() / 1000) - 60 });
      const goOn = await holdApp(page);
      await visit(page, `${server.url}#/backups`);
      await page.getByText("New only").click();
      goOn();
      await started(page);
      await expect(page.getByRole("radio", { name: "New only" })).toBeChecked();
      await page.getByRole("button", { name: "Subscribe" }).click();
      await expect(page.getByText("No messages yet")).toBeVisible();
    });
  });

  test("whose hub a deploy has replaced says so at the press, and subscribes once the page was loaded again", async ({
    server,
    page,
    watch,
  }) => {
    watch.tolerate(/404|Failed to/);
    const hub = /\/assets\/worker-[^/]*\.js$/;
    await page.context().route(hub, (route) => route.fulfill({ status: 404, body: "" }));
    await page.goto(`${server.url}#/backups`);
    await started(page);
    await page.getByRole("button", { name: "Subscribe", exact: true }).click();
    await expect(page.getByRole("main").getByRole("alert")).toBeVisible();
    await page.context().unroute(hub);
    await page.reload();
    await page.getByRole("button", { name: "Subscribe", exact: true }).click();
    await expect(page.getByRole("main").getByText("Live", { exact: true })).toBeVisible();
  });

  test("in one tab goes on as a feed once another tab has subscribed", async ({ server, page }) => {
    await page.goto(`${server.url}#/backups`);
    await started(page);
    const other = await page.context().newPage();
    await other.goto(`${server.url}#/backups`);
    await other.getByRole("button", { name: "Subscribe", exact: true }).click();
    await expect(page.getByRole("main").getByText("Live", { exact: true })).toBeVisible();
    await other.close();
    await server.publish("backups", "to the first tab");
    await expect(page.getByRole("article").filter({ hasText: "to the first tab" })).toBeVisible();
  });

  test("carries out a press that came before the app", async ({ server, page }) => {
    await server.publish("backups", "held by the server");
    const goOn = await holdApp(page);
    await page.goto(`${server.url}#/backups`, { waitUntil: "commit" });
    const box = await page.getByText("Subscribe", { exact: true }).boundingBox();
    if (!box) throw new Error("There is no button.");
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    goOn();
    await expect(page.getByRole("article").filter({ hasText: "held by the server" })).toBeVisible();
  });

  test("without storage and without service workers waits for the app, which subscribes", async ({ server, page }) => {
    await page.addInitScript(() => {
      const deny = () => {
        throw new DOMException("denied", "SecurityError");
      };
      Object.defineProperty(window, "localStorage", { get: deny });
      Object.defineProperty(window, "indexedDB", { value: { open: deny } });
      Reflect.deleteProperty(Navigator.prototype, "serviceWorker");
      for (const name of ["BroadcastChannel", "SharedWorker"]) Object.defineProperty(window, name, { value: deny });
    });
    await page.goto(`${server.url}#/backups`);
    await page.getByRole("button", { name: "Subscribe", exact: true }).click();
    await expect(page.getByRole("heading", { level: 1, name: "backups" })).toBeVisible();
  });
});

for (const [locale, width] of [
  ["de-DE", 390],
  ["ar", 1100],
] as const) {
  test.describe(`in a language that the page has no screens in (${locale})`, () => {
    test.use({ locale, viewport: { width, height: 800 } });

    test("the English screen becomes the app's own", async ({ server, page, context }) => {
      for (const { fragment, heading } of SCREENS) {
        await test.step(fragment || "the start screen", async () => {
          const goOn = await holdApp(page);
          await visit(page, `${server.url}${fragment}`);
          await expect(page.getByRole("heading", { name: heading })).toBeVisible();
          goOn();
          await started(page);
          const other = await context.newPage();
          // Then the app draws everything.
          await other.addInitScript(() => localStorage.setItem("earshot-topics", "some"));
          await other.goto(`${server.url}${fragment}`);
          await expect(other.getByRole("heading", { level: 1 })).toBeVisible();
          expect(await page.evaluate(drawn)).toEqual(await other.evaluate(drawn));
          await other.close();
          await page.evaluate(() => localStorage.removeItem("earshot-topics"));
        });
      }
    });
  });
}

test("nothing of the first screen shows while there are topics, and it comes back without them", async ({
  server,
  page,
}) => {
  await subscribe(page, server, "backups");
  await expect(page.getByRole("main").getByText("Live", { exact: true })).toBeVisible();
  await page.goto("about:blank");
  await page.addInitScript(() => {
    new MutationObserver(() => {
      const isThere = document.querySelector("#app")?.textContent.includes("within earshot of");
      if (isThere) Reflect.set(window, "wasThere", true);
    }).observe(document, { childList: true, subtree: true });
  });
  await page.goto(server.url);
  await expect(page.getByRole("main").getByText("Live", { exact: true })).toBeVisible();
  expect(await page.evaluate(() => Reflect.get(window, "wasThere") as unknown)).toBeUndefined();
  await page.evaluate(() => localStorage.removeItem("earshot-topics"));
  await page.reload();
  await expect(page.getByRole("main").getByText("Live", { exact: true })).toBeVisible();
  await expect.poll(() => page.evaluate(() => localStorage.getItem("earshot-topics"))).toBe("some");
});
