import { expectAccessible } from "./axe";
import type { Page } from "@playwright/test";
import { subscribe } from "./fixtures";
import { message } from "./on-screen";
import { expect, lines, messageEvent, nowS, PICTURE, test, type ScriptedServer } from "./scripted-server";
import { wav } from "./wav";

/** Subscribes to a topic of the scripted server whose messages have these attachments. */
async function subscribeWith(
  page: Page,
  appUrl: string,
  scripted: ScriptedServer,
  attachments: Record<string, object>,
): Promise<void> {
  const events = Object.entries(attachments).map(([text, attachment], at) =>
    messageEvent("notes", text, { time: nowS() - at, attachment: { url: `${scripted.url}/file/x`, ...attachment } }),
  );
  scripted.polled = lines(...events);
  await page.goto(`${appUrl}#/http:${scripted.host}/notes`);
  await page.getByRole("button", { name: "Subscribe" }).click();
  await expect(page.getByRole("article")).toHaveCount(events.length);
}

test("pictures", async ({ server, page, scripted }) => {
  const picture = (name: string) => ({ name, url: `${scripted.url}/file/${name}`, type: "image/png", size: 70 });
  await subscribeWith(page, server.url, scripted, {
    first: picture("first.png"),
    text: { name: "notes.txt", type: "text/plain" },
    elsewhere: { ...picture("elsewhere.png"), url: "https://images.example/elsewhere.png" },
    second: picture("second.png"),
  });
  await test.step("one is enlarged, zoomed by keys and buttons, and closed, and the focus returns", async () => {
    const opener = message(page, "first").getByRole("button", { name: "Enlarge first.png" });
    await opener.focus();
    await page.keyboard.press("Enter");
    const box = page.getByRole("dialog", { name: "first.png" });
    await expect(box.getByRole("img", { name: "first.png" })).toBeVisible();
    await expect(box).toContainText("PNG · 70 bytes");
    await expect(box.getByRole("link", { name: "Open in a new tab" })).toHaveAttribute(
      "href",
      `${scripted.url}/file/first.png`,
    );
    const size = box.getByRole("status").filter({ hasText: "%" });
    await expect(size).toHaveText("100 %");
    await expect(box.getByRole("button", { name: "Zoom in" })).toBeEnabled();
    await page.keyboard.press("+");
    await expect(size).toHaveText("150 %");
    await box.getByRole("button", { name: "Zoom in" }).click();
    await expect(size).toHaveText("225 %");
    await page.keyboard.press("-");
    await expect(size).toHaveText("150 %");
    await page.keyboard.press("0");
    await expect(size).toHaveText("100 %");
    await expect(box.getByRole("button", { name: "Zoom out" })).toBeDisabled();
    await page.keyboard.press("Escape");
    await expect(box).toBeHidden();
    await expect(opener).toBeFocused();
  });
  await test.step("those of a topic are a grid, in which those from elsewhere wait for a press", async () => {
    await page.locator("main > header").getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: "Topic settings" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Images" }).click();
    const grid = page.getByRole("dialog", { name: "Images of notes" });
    await expect(grid.getByRole("listitem")).toHaveCount(3);
    await expect(grid.getByRole("button", { name: "Enlarge first.png" })).toBeVisible();
    await expect(grid.getByRole("button", { name: "Load image" })).toHaveCount(1);
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await expect(grid).toHaveCount(0);
  });
  await test.step("next and previous lead through the feed's pictures; one is saved", async () => {
    await message(page, "first").getByRole("button", { name: "Enlarge first.png" }).click();
    const box = page.getByRole("dialog");
    await expect(box).toHaveAccessibleName("first.png");
    await expect(box.getByRole("button", { name: "Previous image" })).toBeDisabled();
    await page.setViewportSize({ width: 360, height: 740 });
    const [previous, next] = await Promise.all(
      ["Previous image", "Next image"].map((name) => box.getByRole("button", { name }).boundingBox()),
    );
    expect(previous?.y, "both stand in one line, also on a phone").toBe(next?.y);
    await box.getByRole("button", { name: "Next image" }).click();
    await expect(box, "one that waits for a press is passed").toHaveAccessibleName("second.png");
    await expect(box.getByRole("img", { name: "second.png" })).toBeVisible();
    await page.keyboard.press("ArrowLeft");
    await expect(box).toHaveAccessibleName("first.png");
    await expect(box.getByRole("button", { name: "Zoom in" })).toBeEnabled();
    const saved = page.waitForEvent("download");
    await box.getByRole("button", { name: "Save image" }).click();
    expect((await saved).suggestedFilename()).toBe("first.png");
    await page.evaluate(() => {
      navigator.canShare = () => true;
      navigator.share = (data) => Promise.resolve(void (document.title = data?.files?.[0]?.name ?? "no file"));
    });
    await box.getByRole("button", { name: "Share image" }).click();
    await expect(page, "the picture itself is handed on").toHaveTitle("first.png");
    await page.goBack();
    await expect(box, "one press of Back, however many were looked at").toBeHidden();
    await expect(page).toHaveURL(`${server.url}#/http:${scripted.host}/notes`);
  });
});

test("in the large view the pictures beside one stay a press away after its message was deleted", async ({
  server,
  page,
}) => {
  const files = ["oldest.png", "middle.png", "newest.png"];
  const ids: string[] = [];
  for (const name of files) {
    const answer = await fetch(`${server.url}notes`, { method: "PUT", body: PICTURE, headers: { Filename: name } });
    ids.push(((await answer.json()) as { id: string }).id);
  }
  await subscribe(page, server, "notes");
  await page.getByRole("button", { name: "Enlarge middle.png" }).click();
  const box = page.getByRole("dialog");
  await expect(box.getByRole("button", { name: "Next image" })).toBeEnabled();
  await fetch(`${server.url}notes/${String(ids[1])}`, { method: "DELETE" });
  await expect(page.locator("article.row")).toHaveCount(2);
  await expect(box, "it is still looked at").toHaveAccessibleName("middle.png");
  await box.getByRole("button", { name: "Next image" }).click();
  await expect(box).toHaveAccessibleName("oldest.png");
  await page.keyboard.press("ArrowLeft");
  await expect(box, "and it is not there any more").toHaveAccessibleName("newest.png");
});

test("on a device whose clock is a day ahead, neither messages nor files that the server still has are called gone", async ({
  server,
  page,
  scripted,
}) => {
  const serverS = nowS() - 86_400;
  scripted.answer = ({ url }, response) => {
    if (!/\/json$/.test(url)) return false;
    response.writeHead(200, { "Content-Type": "application/x-ndjson; charset=utf-8" });
    response.write(`${JSON.stringify({ id: "open12345678", time: serverS, event: "open", topic: "notes" })}\n`);
    return true;
  };
  const file = { url: `${scripted.url}/file/x`, name: "report.pdf", size: 70, expires: serverS + 10_800 };
  scripted.polled = lines(
    messageEvent("notes", "a report", { time: serverS, expires: serverS + 43_200, attachment: file }),
  );
  await page.goto(`${server.url}#/http:${scripted.host}/notes`);
  await page.getByRole("button", { name: "Subscribe" }).click();
  await expect(message(page, "a report")).toContainText(/PDF · 70 bytes · .*another [23] h/);
  await message(page, "a report").getByText("a report").click();
  await expect(page.getByRole("tabpanel").locator("dt", { hasText: "On server" }).locator("+ dd")).toHaveText(
    /^until (?!yesterday)/,
  );
});

test.describe("by finger", () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });

  test("an image is enlarged by pinching, and swiped away; Back closes picture, message and menu one by one, and never more", async ({
    server,
    page,
    scripted,
  }) => {
    const url = `${scripted.url}/file/cat.png`;
    await subscribeWith(page, server.url, scripted, { "a cat": { name: "cat.png", url, type: "image/png" } });
    const feed = page.url();
    await page.goto(`${server.url}#/~settings`);
    await page.goto(feed);
    const preview = await message(page, "a cat").getByRole("button", { name: "Enlarge cat.png" }).boundingBox();
    expect((preview?.width ?? 0) / (preview?.height ?? 1)).toBeCloseTo(16 / 9, 1);
    expect(preview?.width, "across the row, as wide as a video").toBeGreaterThanOrEqual(300);

    const box = page.getByRole("dialog", { name: "cat.png" });
    const own = page.getByRole("main", { name: "Message" });
    await message(page, "a cat").getByText("a cat").tap();
    await own.getByRole("button", { name: "Enlarge cat.png" }).tap();
    await expect(box).toBeVisible();
    await page.evaluate(() => (history.back(), history.back()));
    await expect(box).toBeHidden();
    await expect(own).toHaveCount(0);
    await expect(page).toHaveURL(feed);

    const more = page.locator("main > header").getByRole("button", { name: "More" });
    await more.tap();
    await expect(page.getByRole("menu")).toBeVisible();
    await page.goBack();
    await expect(page.getByRole("menu")).toBeHidden();
    await more.tap();
    await page.getByRole("menuitem", { name: "Topic settings" }).tap();
    await expect(page.getByRole("dialog")).toBeVisible();
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).tap();
    await expect(page.getByRole("dialog")).toBeHidden();
    await page.goBack();
    await expect(page, "what was closed by itself costs no press").toHaveURL(`${server.url}#/~settings`);

    await page.goto(feed);
    await message(page, "a cat").getByRole("button", { name: "Enlarge cat.png" }).tap();
    const size = box.getByRole("status").filter({ hasText: "%" });
    await expect(box.getByRole("button", { name: "Zoom in" })).toBeEnabled();
    const session = await page.context().newCDPSession(page);
    const touch = (type: "touchStart" | "touchMove" | "touchEnd", ...ys: number[]) =>
      session.send("Input.dispatchTouchEvent", { type, touchPoints: ys.map((y, id) => ({ x: 195, y, id })) });
    await touch("touchStart", 400, 440);
    for (const by of [20, 40, 60]) await touch("touchMove", 400 - by, 440 + by);
    await touch("touchEnd");
    await expect(size).toHaveText("400 %");
    await box.getByRole("button", { name: "Fit" }).tap();
    await expect(size).toHaveText("100 %");

    await touch("touchStart", 400);
    await touch("touchMove", 430);
    await touch("touchEnd");
    await expect(box, "a little is no swipe").toBeVisible();
    await touch("touchStart", 400);
    for (const y of [440, 480, 520]) await touch("touchMove", y);
    await touch("touchEnd");
    await session.detach();
    await expect(box).toBeHidden();
  });
});

test("files load and are shown in place only after a press if they are large or play, and those that can't be shown are reported", async ({
  server,
  page,
  scripted,
  startOther,
  watch,
}) => {
  watch.tolerate(/404/);
  // When the browser can't draw an image, Playwright's trace recorder requests it again.
  watch.tolerate(/connect-src/);
  const other = await startOther();
  const evil = "<script>ran()</script><img src=x onerror=ran()>\u001b[31m\u202ered";
  const files: Record<string, [type: string, content: string | Buffer]> = {
    "/file/text.png": ["image/png", "this is no image"],
    "/file/bell.wav": ["audio/wav", wav()],
    "/file/door.mp4": ["video/mp4", "no film"],
    "/file/evil.html": ["text/html", `${evil}\n${"a long line ".repeat(100)}`],
    "/file/long.log": ["text/html", "x".repeat(100_000)],
    "/file/binary.txt": ["text/html", Buffer.from([1, 0, 2, 0])],
  };
  let hasLost = false;
  scripted.answer = ({ url }, response) => {
    const [type, content] = files[url] ?? [];
    if (type) response.writeHead(200, { "Content-Type": type }).end(content);
    else if (/lost/.test(url) && !hasLost) response.writeHead(404).end();
    else return false;
    return true;
  };
  const at = (name: string, type?: string) => ({ name, url: `${scripted.url}/file/${name}`, ...(type && { type }) });
  // All of them are on the screen at once.
  await page.setViewportSize({ width: 360, height: 6000 });
  await subscribeWith(page, server.url, scripted, {
    "a large one": { ...at("large.png", "image/png"), size: 50_000_000 },
    "in pieces": at("text.png", "image/png"),
    "a lost one": at("lost.png", "image/png"),
    "a gone one": { ...at("gone.png", "image/png"), expires: nowS() - 1 },
    "going soon": { ...at("soon.png", "image/png"), expires: nowS() + 55 },
    "the bell": { ...at("bell.wav", "audio/wav"), size: 8044 },
    "the door": at("door.mp4", "video/mp4"),
    "from elsewhere": { name: "far.ogg", url: `${other.url}far.ogg` },
    "hostile text": at("evil.html", "text/html"),
    "much text": { ...at("long.log"), size: 100_000 },
    bytes: at("binary.txt"),
    "a lost text": at("lost.txt"),
  });
  await expect(page.locator("audio, video")).toHaveCount(0);
  expect(scripted.asked(/large|bell|door|evil|long|binary|lost.txt/)).toBe(0);

  await test.step("images", async () => {
    const large = message(page, "a large one");
    await expect(large).toContainText("PNG · 50 MB");
    await large.getByRole("button", { name: "Load image" }).click();
    await expect(large.getByRole("button", { name: "Enlarge large.png" })).toBeVisible();

    for (const text of ["in pieces", "a lost one"]) {
      await expect(message(page, text)).toContainText("can't be shown: it is missing or not an image");
      await expect(message(page, text).getByRole("link")).toHaveCount(1);
    }
    hasLost = true;
    await message(page, "a lost one").getByRole("button", { name: "Try again" }).click();
    await expect(message(page, "a lost one").getByRole("button", { name: "Enlarge lost.png" })).toBeVisible();

    await expect(message(page, "a gone one")).toContainText("no longer on the server");
    await expect(message(page, "a gone one").getByRole("link")).toHaveCount(0);
    expect(scripted.asked(/gone/)).toBe(0);
    await expect(message(page, "going soon"), "counted down").toContainText(/on the server for another \d\d? s/);
    hasLost = false;
  });
  await test.step("audio and video", async () => {
    const bell = message(page, "the bell");
    await bell.getByRole("button", { name: "Play" }).click();
    const player = bell.locator("audio");
    await expect(player).toHaveAttribute("aria-label", "bell.wav");
    await expect(player).toHaveJSProperty("duration", 1);
    expect(scripted.requests.find(({ url }) => url === "/file/bell.wav")?.headers).not.toHaveProperty("referer");

    await message(page, "the door").getByRole("button", { name: "Play" }).click();
    await expect(message(page, "the door")).toContainText("can't be played");
    await expect(message(page, "the door").getByRole("link", { name: "door.mp4" })).toBeVisible();

    const far = message(page, "from elsewhere");
    await expect(far).toContainText(`on ${other.host}`);
    await expect(far.getByRole("button", { name: "Play" })).toHaveAttribute("title", `From ${other.host}`);
    expect(other.requests.filter(({ path }) => path.includes("far"))).toEqual([]);
  });
  await test.step("a text file is shown as plain text", async () => {
    const open = (text: string) => message(page, text).getByRole("button", { name: "Show the text" }).click();

    await open("hostile text");
    const shown = message(page, "hostile text").locator("pre");
    await expect(shown).toContainText("<script>ran()</script>");
    await expect(shown).toContainText("␛[31m");
    await expect(shown.locator("*")).toHaveCount(0);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    await message(page, "hostile text").getByRole("button", { name: "Hide the text" }).click();
    await expect(shown).toHaveCount(0);

    await open("much text");
    await expect(message(page, "much text")).toContainText("The first 65.5 kB of 100 kB");
    await open("bytes");
    await expect(message(page, "bytes")).toContainText("This is not text");
    await open("a lost text");
    await expect(message(page, "a lost text")).toContainText("No longer on the server");
  });
});

test("files that are kept stay when the server has deleted them, and the card says so", async ({
  server,
  page,
  scripted,
  watch,
}) => {
  watch.tolerate(/404/);
  let isDown = false;
  const large = Buffer.concat([PICTURE, Buffer.alloc(10_500_000)]);
  scripted.answer = ({ url }, response) => {
    if (url === "/file/large.png") {
      response.writeHead(200, { "Content-Type": "image/png", "Access-Control-Allow-Origin": "*" }).end(large);
      return true;
    }
    const isGone = url === "/file/lost.bin" || (isDown && url.startsWith("/file/"));
    if (isGone) response.writeHead(404).end();
    return isGone;
  };
  const at = (name: string, type: string) => ({
    ...{ name, type, url: `${scripted.url}/file/${name}` },
    ...{ size: 8, expires: nowS() + 10_800 },
  });
  await subscribeWith(page, server.url, scripted, {
    "a cat": at("cat.png", "image/png"),
    "a large one": at("large.png", "image/png"),
    "some notes": at("notes.txt", "text/plain"),
    "an archive": at("all.zip", "application/zip"),
    "a lost one": at("lost.bin", "application/octet-stream"),
  });
  await page.goto(`${server.url}#/~settings/storage`);
  await page.getByLabel("Keep attachments").selectOption("Up to 50 MB each");
  await expect(page.getByText("Kept files: 4 files")).toBeVisible();
  isDown = true;
  scripted.requests.length = 0;

  await page.clock.setSystemTime(Date.now() + 4 * 3_600_000);
  await page.goto(`${server.url}#/http:${scripted.host}/notes`);
  await page.reload();
  await expect(message(page, "a cat")).toContainText("no longer on the server · kept on this device");
  await expect(message(page, "a cat").getByRole("img", { name: "cat.png" })).toHaveJSProperty("naturalWidth", 1);
  const row = message(page, "a large one");
  await expect(row.getByRole("img", { name: "large.png" }), "larger than its message says").toHaveCount(0);
  await row.getByRole("button", { name: "Load image" }).click();
  await expect(row.getByRole("img", { name: "large.png" })).toHaveJSProperty("naturalWidth", 1);
  await message(page, "some notes").getByRole("button", { name: "Show the text" }).click();
  await expect(message(page, "some notes").locator("pre")).toHaveText("answered");
  const saved = page.waitForEvent("download");
  await message(page, "an archive").getByRole("button", { name: "Save" }).click();
  expect((await saved).suggestedFilename()).toBe("all.zip");
  await expect(message(page, "a lost one")).toContainText("the server had deleted it before it could be kept");
  expect(scripted.asked(/\/file\//)).toBe(0);

  await page.goto(`${server.url}#/~settings/storage`);
  await page.getByRole("button", { name: "Delete kept files" }).click();
  await expect(page.getByText("Kept files: 4 files")).toBeHidden();
});

test("a card that has gone before the device said whether its file is kept is not asked for more", async ({
  server,
  page,
  scripted,
}) => {
  await page.addInitScript(() => {
    const { match } = CacheStorage.prototype;
    const looks = new Promise<void>((resolve) => Object.assign(globalThis, { goOn: resolve }));
    CacheStorage.prototype.match = async function (...what) {
      await looks;
      return match.apply(this, what);
    };
  });
  const warnings: string[] = [];
  page.on("console", (said) => {
    if (said.type() === "warning") warnings.push(said.text());
  });
  await subscribeWith(page, server.url, scripted, { "some notes": { name: "notes.txt", type: "text/plain", size: 8 } });
  await expect(message(page, "some notes").getByText("notes.txt")).toBeVisible();
  await page.evaluate(() => void (location.hash = "#/~settings"));
  await expect(page.getByRole("heading", { name: "Settings", level: 1 })).toBeVisible();
  await page.evaluate(() => {
    (globalThis as unknown as { goOn: () => void }).goOn();
    return new Promise((resolve) => setTimeout(resolve));
  });
  expect(warnings, "Svelte warns of what is read of a component that has gone").toEqual([]);
});
