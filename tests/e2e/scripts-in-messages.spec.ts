import { CROSS_SITE_SCRIPTING } from "./cross-site-scripting";
import { expect, lines, messageEvent, nowS, test } from "./scripted-server";
import { message } from "./on-screen";

/** A message with a text in every field that holds one. */
function everywhere(text: string, at: number, markdown: boolean): object {
  const time = nowS() - 10_000 + at;
  return messageEvent("notes", text, {
    ...{ time, expires: time + 43_200, title: text, tags: [text, "warning", `x ${text}`] },
    ...{ click: text, icon: text, strange: text, sequence_id: `${text}${at}` },
    attachment: { name: `${text}.png`, url: text, ...(at % 2 ? { type: text } : {}), size: 1000, expires: nowS() + 60 },
    actions: [
      { id: text, action: "view", label: text, url: text, clear: true },
      { id: `${text}2`, action: "http", label: text, url: text, method: text, headers: { [text]: text }, body: text },
      { id: `${text}3`, action: "copy", label: text, value: text },
      { id: `${text}4`, action: text, label: text, url: text },
    ],
    ...(markdown && { content_type: "text/markdown" }),
  });
}

const URL_ATTRIBUTES = ["href", "src", "srcset", "action", "formaction", "poster", "data", "background"];

/** What of the page could run or load something that is none of the app's. */
function suspicious(attributes: string[]): string[] {
  const found: string[] = [];
  for (const element of document.querySelectorAll("body *")) {
    if (element.matches("iframe, object, embed, base, meta, link, style, video, audio, template, marquee")) {
      found.push(element.outerHTML);
    }
    if (element.matches("script:not([src^='./assets/'])")) found.push(element.outerHTML);
    for (const { name, value } of element.attributes) {
      if (/^on/i.test(name) || name === "srcdoc") found.push(`${name}=${value}`);
      const isFragment = value.startsWith("#/") || value === "#main";
      if (attributes.includes(name) && !isFragment && !/^(https?|mailto|tel|\.\/assets)/.test(value)) {
        found.push(`${element.tagName} ${name}=${value}`);
      }
    }
  }
  return found;
}

test.use({ viewport: { width: 1440, height: 1000 } });

test("no text in any field of any message runs, loads or becomes part of the page", async ({
  server,
  page,
  context,
  scripted,
}) => {
  test.slow();
  expect(CROSS_SITE_SCRIPTING.length).toBeGreaterThanOrEqual(60);
  const told: string[] = [];
  page.on("dialog", (dialog) => {
    told.push(dialog.message());
    void dialog.dismiss();
  });
  context.on("page", (opened) => told.push(`opened ${opened.url()}`));
  await page.exposeFunction("ran", () => told.push("ran"));

  scripted.polled = lines(
    ...CROSS_SITE_SCRIPTING.map((text, at) => everywhere(text, at * 2, false)),
    ...CROSS_SITE_SCRIPTING.map((text, at) => everywhere(text, at * 2 + 1, true)),
  );
  const count = 2 * CROSS_SITE_SCRIPTING.length;
  await page.goto(`${server.url}#/http:${scripted.host}/notes`);
  await page.getByRole("button", { name: "Subscribe" }).click();
  await expect(page.getByText(`${count} kept`)).toBeVisible();
  await expect(page.getByRole("article").first()).toBeVisible();

  // Each one is selected, so that the feed and the details show it; the pointer is on what the feed scrolls to.
  const position = page.getByRole("feed").locator("article.selected");
  const details = page.getByRole("complementary", { name: "Message" });
  await page.getByRole("feed").hover();
  for (let at = 1; at <= count; at++) {
    await page.keyboard.press("j");
    await expect(position).toHaveAttribute("aria-posinset", String(at));
    await expect(details.getByRole("heading", { level: 2 })).toHaveCount(1);
    if (at % 10 === 0) expect(await page.evaluate(suspicious, URL_ATTRIBUTES)).toEqual([]);
  }

  // What one presses asks or refuses; the raw JSON is text.
  await details.getByRole("tab", { name: "Raw" }).click();
  await expect(details.locator("pre")).toBeVisible();
  expect(await page.evaluate(suspicious, URL_ATTRIBUTES)).toEqual([]);
  expect(told).toEqual([]);
  expect(page.url()).toContain(server.url);
  await expect(page).toHaveTitle(/Earshot$/);
  await expect(message(page, "").first()).toBeVisible();
});
