import type { CDPSession, Page } from "@playwright/test";
import { expectLive, message } from "./on-screen";
import { expect, subscribe, test } from "./plain-browser";

/** What is on screen: view, filter, and the first row that begins on it, with its distance from the upper edge, px. */
interface OnScreen {
  address: string;
  heading: string | undefined;
  filter: string | undefined;
  first: string | undefined;
  top: number;
}

/** Runs in the page. */
function onScreen(): OnScreen {
  const rows = [...document.querySelectorAll("[role=feed] article")].map((row) => ({
    name: /Number-\d+/.exec(row.textContent)?.[0],
    top: Math.round(row.getBoundingClientRect().top),
  }));
  const first = rows.filter(({ top }) => top > 150).sort((one, other) => one.top - other.top)[0];
  return {
    address: location.hash,
    heading: document.querySelector("#app h1")?.textContent,
    filter: document.querySelector<HTMLInputElement>("main input")?.value,
    first: first?.name,
    top: first?.top ?? NaN,
  };
}

/** Asks by the developer protocol, as Playwright gives a page up that has crashed. Undefined while nothing answers. */
async function look(session: CDPSession): Promise<OnScreen | undefined> {
  const { result } = await session.send("Runtime.evaluate", { expression: `(${onScreen})()`, returnByValue: true });
  return result.value as OnScreen | undefined;
}

/** Waits until the place is in the state of the history's step. */
const isNoted = (page: Page) =>
  page.evaluate(() => Object.keys((history.state as { places?: object } | null)?.places ?? {}).length > 0);

test("a page that was left for another starts at once, and comes back by Back as it was, with what arrived meanwhile", async ({
  server,
  plain,
}) => {
  const { context, watch } = plain;
  watch.tolerate(/favicon/);
  const page = await context.newPage();
  await subscribe(page, server, "notes");
  await expectLive(page);
  await test.step("also where it was left in the middle of storing messages", async () => {
    await page.goto(`${server.url}manifest.webmanifest`);
    for (let at = 1; at <= 6; at++) await server.publish("notes", `Number-${at}`);
    await page.goto(`${server.url}#/notes`);
    // Chromium itself ends such a write after 60 s.
    await expect(message(page, /Number-\d/)).toHaveCount(6, { timeout: 20_000 });
  });
  await page.evaluate(() => {
    addEventListener("pageshow", (event) => Object.assign(globalThis, { wasKept: event.persisted }));
  });
  await page.goto(`${server.url}manifest.webmanifest`);
  const other = await context.newPage();
  await other.goto(`${server.url}#/notes`);
  await server.publish("notes", "while it was left");
  await expect(message(other, "while it was left")).toHaveCount(1);
  await page.bringToFront();
  await page.goBack({ waitUntil: "commit" });
  await expect.poll(() => page.evaluate(() => (globalThis as { wasKept?: boolean }).wasKept)).toBe(true);
  await expect(message(page, "while it was left")).toHaveCount(1);
  await server.publish("notes", "after it came back");
  await expect(message(page, "after it came back")).toHaveCount(1);
  await expectLive(page);
});

test("a page that the browser froze, and then discarded, comes back to the same view, filter and place", async ({
  server,
  plain,
}) => {
  const { context, watch } = plain;
  watch.tolerate(/favicon|crash/i);
  const page = await context.newPage();
  const other = await context.newPage();
  await page.bringToFront();
  await page.setViewportSize({ width: 390, height: 844 });
  for (let at = 1; at <= 120; at++) await server.publish("notes", "text", { title: `Number-${at}` });
  await subscribe(page, server, "notes");
  await page.goto(`${server.url}#/notes?q=text`);
  await expect(page.getByRole("article").first()).toBeVisible();
  await page.getByRole("article").first().hover();
  await page.mouse.wheel(0, 3_000);
  await expect.poll(() => isNoted(page)).toBe(true);
  const session = await context.newCDPSession(page);
  const before = await look(session);
  expect(before).toMatchObject({ address: "#/notes?q=text", heading: "notes" });
  expect(before?.first).toMatch(/^Number-/);
  expect(before?.first).not.toBe("Number-120");

  await other.bringToFront();
  await expect.poll(() => page.evaluate(() => document.visibilityState)).toBe("hidden");
  await session.send("Page.setWebLifecycleState", { state: "frozen" });
  await session.send("Page.setWebLifecycleState", { state: "active" });
  await session.send("Target.activateTarget", {
    targetId: (await session.send("Target.getTargetInfo")).targetInfo.targetId,
  });
  await expect.poll(() => look(session), "thawed").toEqual(before);

  await other.bringToFront();
  await session.send("Page.setWebLifecycleState", { state: "frozen" });
  // A discarded page ends without an event, and is loaded again from its step of the history. No driver can discard one, so
  // it is closed, and that step is handed to another page.
  const { result } = await session.send("Runtime.evaluate", { expression: "history.state", returnByValue: true });
  const again = await context.newPage();
  await again.setViewportSize({ width: 390, height: 844 });
  await again.addInitScript((state: unknown) => {
    if (history.state === null) history.replaceState(state, "");
  }, result.value);
  await session.send("Page.close");
  await again.goto(`${server.url}${before?.address ?? ""}`);
  const { top = NaN, ...shown } = before ?? {};
  // Within a pixel and a half, as rows have heights of fractions of one.
  const isAtPlace = expect.closeTo(top, -0.5) as unknown;
  await expect.poll(() => again.evaluate(onScreen), "loaded again").toEqual({ ...shown, top: isAtPlace });
});
