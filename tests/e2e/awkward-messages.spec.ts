import { message } from "./on-screen";
import { expect, lines, messageEvent, nowS, test } from "./scripted-server";

const WORD = "Donaudampfschifffahrtsgesellschaftskapitän";
const UNBROKEN = "x".repeat(4000);
const ADDRESS = `https://example.org/${"path/".repeat(200)}?q=${"y".repeat(1500)}`;
/** Text turned around by hand, and never turned back. */
const TURNED = "\u202eneddih \u2067txet\u200f";
/** Marks piled upon a letter. */
const PILED = `a${"\u0300\u0316\u0489\u035e".repeat(100)}`;

/** Messages that are hard to show, each with the word by which it is found. */
const AWKWARD: Record<string, object> = {
  unbroken: { message: UNBROKEN, title: UNBROKEN },
  tags: { tags: Array.from({ length: 200 }, (_, at) => `${at % 7 ? "tag" : WORD.repeat(4)}${at}`) },
  emoji: { title: "🎉🚨🏳️‍🌈👩‍👩‍👧‍👦🇩🇪".repeat(30), tags: ["tada", "skull", "warning"] },
  turned: {
    title: TURNED,
    message: `${TURNED} ${TURNED.repeat(60)}`,
    tags: [TURNED],
    click: `https://example.org/${TURNED}`,
  },
  arabic: { title: "فشل النسخ الاحتياطي على atlas", message: "القرص ممتلئ بنسبة 91 % https://example.org/ar ثم 14 GB" },
  control: {
    title: "bell\u0007 back\u0008\u0008 esc\u001b[2J\u0000",
    message: "\u001b[31mred\u001b[0m\r\ttab\u0085\u009b",
  },
  nothing: { title: "\u200b\u200d\u2060", message: "\u200b\ufeff\u2800\u3164 \u00ad", tags: ["\u200b"] },
  piled: { title: PILED, message: PILED.repeat(8) },
  first: { time: 0, message: "from 1970" },
  future: { time: nowS() + 50 * 365 * 86_400, message: "from the future" },
  markdown: {
    message: `# ${UNBROKEN}\n\n${"> ".repeat(60)}deep\n\n${"- ".repeat(60)}list\n\n|${" a |".repeat(60)}\n|${" - |".repeat(60)}\n|${` ${WORD} |`.repeat(60)}\n\n**never [closed](https://example.org/${UNBROKEN}\n\n\`\`\`\n${UNBROKEN}`,
    content_type: "text/markdown",
  },
  json: { message: JSON.stringify({ [UNBROKEN]: [[[[[[UNBROKEN]]]]]], b: { c: { d: { e: WORD.repeat(50) } } } }) },
  log: { message: Array.from({ length: 40 }, (_, at) => `12:00:${at} INFO ${"column  ".repeat(40)}`).join("\n") },
  address: { message: `see ${ADDRESS} there`, click: ADDRESS },
  buttons: {
    actions: [
      { id: "1", action: "view", label: UNBROKEN, url: ADDRESS },
      { id: "2", action: "http", label: `${TURNED}${WORD.repeat(5)}`, url: ADDRESS, body: UNBROKEN },
      { id: "3", action: "copy", label: "🎉".repeat(200), value: "x" },
      { id: "4", action: "broadcast", label: "\u200b" },
    ],
  },
  file: {
    attachment: {
      name: `${UNBROKEN}.pdf`,
      url: ADDRESS,
      type: `application/${WORD}`,
      size: 1e15,
      expires: nowS() + 1e9,
    },
  },
  link: { click: `javascript:${UNBROKEN}` },
};

/** What reaches out of the page to the right, or makes it scroll sideways; boxes that scroll by themselves may. */
function outside(): string[] {
  const width = document.documentElement.clientWidth;
  const found = document.documentElement.scrollWidth > width ? ["the page scrolls sideways"] : [];
  for (const element of document.querySelectorAll<HTMLElement>("main *, aside *, dialog *")) {
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
    const own = page.getByRole("complementary", { name: "Message" });
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
  // Back from the last one the keys go on from there, at the end of the feed.
  await page.keyboard.press("j");
  // The one of 1970 is the oldest; the one from the future is scheduled once the server's clock is heard, at whatever moment.
  const others = events.map(({ name }) => name).filter((name) => name !== "first" && name !== "future");
  for (const name of ["first", ...others.reverse()]) {
    await expect(selected).toHaveId(new RegExp(`awkward${name}$`));
    expect(await page.evaluate(outside), `${name} in the feed`).toEqual([]);
    await page.keyboard.press("k");
  }
});
