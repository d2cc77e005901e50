import { AWKWARD } from "./awkward";
import { message } from "./on-screen";
import { expect, lines, messageEvent, nowS, test } from "./scripted-server";

/**
 * Elements that reach beyond the edge of the page or make it scroll sideways, except in boxes that scroll by
 * themselves.
 */
function outside(): string[] {
  const width = document.documentElement.clientWidth;
  const found = document.documentElement.scrollWidth > width ? ["the page scrolls sideways"] : [];
  for (const element of document.querySelectorAll<HTMLElement>(
    "main *, [role=main] *, [role=complementary] *, dialog *",
  )) {
    const box = element.getBoundingClientRect();
    if (box.width === 0 || box.height === 0 || (box.right <= width + 0.5 && box.left >= -0.5)) continue;
    let frame: HTMLElement | null = element.parentElement;
    while (frame && getComputedStyle(frame).overflowX === "visible") frame = frame.parentElement;
    if (
      !frame ||
      frame === document.body ||
      frame === document.documentElement ||
      frame.matches(":has(> [role=feed])")
    ) {
      found.push(`${element.tagName}.${element.className} ${box.left}–${box.right}`);
    }
  }
  return found.slice(0, 5);
}

test.use({ viewport: { width: 360, height: 740 } });

test("no message breaks the page on a small phone, neither in the feed nor on its own", async ({
  server,
  page,
  scripted,
}) => {
  test.slow();
  const newestS = nowS() - 100;
  const events = Object.entries(AWKWARD).map(([name, fields], at) => ({
    name,
    event: messageEvent("notes", `about ${name}`, { id: `awkward${name}`, time: newestS - at, ...fields }),
  }));
  scripted.polled = lines(...events.map(({ event }) => event));
  await page.goto(`${server.url}#/http:${scripted.host}/notes`);
  await page.getByRole("button", { name: "Subscribe" }).click();
  await expect(message(page, "").first()).toBeVisible();
  for (const { name, event } of events) {
    await page.goto(`${server.url}#/http:${scripted.host}/notes?id=${String(event["id"])}&at=${String(event["time"])}`);
    const own = page.getByRole("main", { name: "Message" });
    await expect(own.getByRole("tab", { name: "Raw" })).toBeVisible();
    await expect.poll(() => page.evaluate(outside), `${name} on its own`).toEqual([]);
    // As JSON, they differ in their texts alone.
    if (!["unbroken", "turned", "piled", "control", "json", "file"].includes(name)) continue;
    await own.getByRole("tab", { name: "Raw" }).click();
    await expect(own.getByLabel("Raw JSON")).toBeVisible();
    await expect.poll(() => page.evaluate(outside), `${name} raw`).toEqual([]);
  }
  // So high that all of them are in the feed at once. The one from the future is left out: it becomes a scheduled one as
  // soon as the server's clock is known, which may be at any moment.
  await page.setViewportSize({ width: 360, height: 20_000 });
  await page.goto(`${server.url}#/http:${scripted.host}/notes`);
  for (const { event } of events.filter(({ name }) => name !== "future"))
    await expect(page.locator(`article[id$="${String(event["id"])}"]`)).toBeAttached();
  await expect.poll(() => page.evaluate(outside), "in the feed").toEqual([]);
});

/** Texts of the page, seen and for screen readers, in which a character turns the direction. The text of a message may. */
function turned(): string[] {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found: string[] = [];
  while (texts.nextNode()) found.push(texts.currentNode.textContent ?? "");
  for (const element of document.querySelectorAll("[aria-label], [title], [alt], [download]")) {
    for (const name of ["aria-label", "title", "alt", "download"]) found.push(element.getAttribute(name) ?? "");
  }
  // Words of ours hold a name from elsewhere between the first and the last of a pair, so that its direction ends there.
  return found.filter((text) => /\p{Bidi_Control}/u.test(text.replaceAll(/\u2068[^\p{Bidi_Control}]*\u2069/gu, "")));
}

test("no title, name, tag or button turns the direction: a program never reads as a document", async ({
  server,
  page,
  scripted,
}) => {
  const evil = (what: string) => `${what} \u202efdp.exe`;
  const attachment = { name: evil("file"), url: `${scripted.url}/file/x.exe`, type: "text/plain", size: 9 };
  scripted.polled = lines(
    messageEvent("notes", "the text", {
      title: evil("title"),
      tags: [evil("tag")],
      attachment,
      priority: 5,
      actions: [{ id: "1", action: "copy", label: evil("button"), value: "x" }],
    }),
    messageEvent("notes", `You received a file: ${attachment.name}`, { attachment }),
    messageEvent("notes", JSON.stringify({ [evil("json")]: 1 }), { title: evil("data") }),
  );
  await page.goto(`${server.url}#/http:${scripted.host}/notes`);
  await page.getByRole("button", { name: "Subscribe" }).click();
  await expect(message(page, "title fdp.exe")).toBeVisible();
  await expect(page.getByText("file fdp.exe").first()).toBeVisible();
  await expect(page.getByRole("button", { name: "button fdp.exe" })).toBeVisible();
  expect(await page.evaluate(turned), "in the feed").toEqual([]);
  await expect(page).toHaveTitle(/^[^\u202e]*$/);

  await message(page, "title fdp.exe").getByText("the text", { exact: true }).click();
  const own = page.getByRole("main", { name: "Message" });
  await expect(own.getByText("tag fdp.exe").first()).toBeVisible();
  expect(await page.evaluate(turned), "on its own page").toEqual([]);
  for (const [view, sight] of [
    ["~topics", page.getByText("data fdp.exe").first()],
    ["~wall", page.getByText("title fdp.exe").first()],
  ] as const) {
    await page.goto(`${server.url}#/${view}`);
    await expect(sight, view).toBeVisible();
    expect(await page.evaluate(turned), view).toEqual([]);
  }
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("notes");
  await expect(page.getByRole("option").first()).toBeVisible();
  expect(await page.evaluate(turned), "in the palette").toEqual([]);
});
