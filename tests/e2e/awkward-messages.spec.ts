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
      frame.getAttribute("role") === "feed"
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
    expect(await page.evaluate(outside), `${name} on its own`).toEqual([]);
    await own.getByRole("tab", { name: "Raw" }).click();
    await expect(own.getByLabel("Raw JSON")).toBeVisible();
    expect(await page.evaluate(outside), `${name} raw`).toEqual([]);
    await own.getByRole("button", { name: "Back to the messages" }).click();
    await expect(own).toHaveCount(0);
  }
  await page.goto(`${server.url}#/http:${scripted.host}/notes`);
  const selected = page.getByRole("feed").locator("article.selected");
  // The feed is at its end after the last message, so the keys continue from there.
  await page.keyboard.press("j");
  // The message of 1970 is the oldest. The one from the future is left out: it becomes a scheduled one as soon as the
  // server's clock is known, which may be at any moment.
  const others = events.map(({ name }) => name).filter((name) => name !== "first" && name !== "future");
  for (const name of ["first", ...others.reverse()]) {
    await expect(selected).toHaveId(new RegExp(`awkward${name}$`));
    expect(await page.evaluate(outside), `${name} in the feed`).toEqual([]);
    await page.keyboard.press("k");
  }
});
