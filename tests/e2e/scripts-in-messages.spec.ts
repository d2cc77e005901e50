import { CROSS_SITE_SCRIPTING, SWALLOWS } from "./cross-site-scripting";
import { expect, lines, messageEvent, nowS, test } from "./scripted-server";
import { expectStored, message, pointAtFeed } from "./on-screen";

/** One in how many messages is received. With a quarter of them each text comes into a quarter of the fields. */
const EVERY = process.env["LONG"] ? 1 : 4;

/**
 * A message with a different hostile text in every text field. As `at` runs over all texts, each text comes into each
 * field, and into the body twice: as plain text and as Markdown.
 */
function hostile(at: number): object {
  const text = (by: number) => CROSS_SITE_SCRIPTING[(at + by) % CROSS_SITE_SCRIPTING.length] ?? "";
  const time = nowS() - 10_000 + at;
  const bodies = [text(0), text(1)].sort((a, b) => Number(SWALLOWS.test(a)) - Number(SWALLOWS.test(b)));
  const headers = { [text(12)]: text(13) };
  // A message whose sequence is very long or half a character is no message.
  const sequence = /\p{Cs}/u.test(text(8)) ? "" : text(8).slice(0, 40);
  return messageEvent("notes", bodies.join("\n\n"), {
    ...{ time, expires: time + 43_200, title: text(2), tags: [text(3), "warning", `x ${text(4)}`] },
    ...{ click: text(5), icon: text(6), strange: text(7), sequence_id: `${sequence}${at}` },
    attachment: {
      ...{ name: `${text(9)}${at % 3 ? ".png" : ".txt"}`, url: text(10), size: 1000, expires: nowS() + 600 },
      ...(at % 4 === 1 && { type: text(11) }),
    },
    actions: [
      { id: text(14), action: "view", label: text(15), url: text(16), clear: true },
      { id: `${text(17)}2`, action: "http", label: text(18), url: text(19), method: text(20), headers, body: text(21) },
      { id: `${text(22)}3`, action: "copy", label: text(23), value: text(24) },
      { id: `${text(25)}4`, action: text(26), label: text(27), url: text(28) },
      { id: `${text(29)}5`, action: "broadcast", label: text(30), intent: text(31) },
    ],
    ...(at % 2 === 1 && { content_type: "text/markdown" }),
  });
}

const URL_ATTRIBUTES = ["href", "src", "srcset", "action", "formaction", "poster", "data", "background"];

/** Elements and attributes of the page that could run or load something, and aren't the app's own. */
function suspicious(attributes: string[]): string[] {
  const found: string[] = [];
  for (const element of document.querySelectorAll("body *")) {
    // The page's own templates, for first visits, are direct children of its body.
    if (
      element.matches("iframe, object, embed, base, meta, link, style, video, audio, marquee, :not(body) > template")
    ) {
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

test("no text in any field of a message runs, loads anything or becomes part of the page", async ({
  server,
  page,
  context,
  scripted,
}) => {
  test.slow();
  const texts = CROSS_SITE_SCRIPTING.length;
  expect(new Set(CROSS_SITE_SCRIPTING).size).toBe(texts);
  expect(texts).toBeGreaterThanOrEqual(200);
  expect(texts % 2, "each body comes as plain text and as Markdown").toBe(0);
  // Pairs, as every second message is Markdown.
  const messages = CROSS_SITE_SCRIPTING.map((_, at) => hostile(at)).filter((_, at) => at % (2 * EVERY) < 2);
  const count = messages.length;
  const told: string[] = [];
  page.on("dialog", (dialog) => {
    told.push(dialog.message());
    void dialog.dismiss();
  });
  context.on("page", (opened) => told.push(`opened ${opened.url()}`));
  await page.exposeFunction("ran", () => told.push("ran"));

  scripted.polled = lines(...messages);
  await page.goto(`${server.url}#/http:${scripted.host}/notes`);
  await page.getByRole("button", { name: "Subscribe" }).click();
  await expectStored(page, count);
  await expect(page.getByRole("article").first()).toBeVisible();

  // Selects each message, so that the feed and the details show it; the pointer stays over the feed and so touches
  // whatever scrolls under it.
  const details = page.getByRole("complementary", { name: "Message" });
  await pointAtFeed(page);
  for (let at = 1; at <= count; at++) {
    await page.keyboard.press("j");
    // Roles would be looked for in the whole page, with all that the texts tried to put there.
    await expect(page.locator(`[role=feed] article.selected[aria-posinset="${at}"]`)).toHaveCount(1);
    await expect(page.locator("[aria-label=Message] h2")).toHaveCount(1);
    if (at % 10 > 0) continue;
    expect(await page.evaluate(suspicious, URL_ATTRIBUTES)).toEqual([]);
    // The raw JSON is shown complete, and as text.
    await details.getByRole("tab", { name: "Raw" }).click();
    await expect(details.locator("pre")).toHaveCount(1);
    await expect(details.locator("pre :not(code)")).toHaveCount(0);
    const raw = JSON.parse(await details.locator("pre").innerText()) as { title: string };
    expect(CROSS_SITE_SCRIPTING).toContain(raw.title);
  }
  expect(told).toEqual([]);
  expect(page.url()).toContain(server.url);
  await expect(page).toHaveTitle(/Earshot$/);
  await expect(message(page, "").first()).toBeVisible();
});
