import { expect, subscribe, test } from "./fixtures";
import { message, wasAway } from "./on-screen";

test("rows show no more than they need to", async ({ server, page }) => {
  await test.step("a message without a title shows its text as the title, and is named by its topic", async () => {
    await server.publish("untitled", "The washing machine is done");
    await subscribe(page, server, "untitled");
    const row = page.getByRole("article", { name: `${server.host}/untitled` });
    await expect(row).toContainText("The washing machine is done");
    const text = await row.getByText("The washing machine is done").boundingBox();
    const time = await row.locator("time").boundingBox();
    expect(Math.abs((text?.y ?? 0) - (time?.y ?? 99)), "on the line of the time").toBeLessThan(6);
    await expect(row.getByRole("heading")).toHaveCSS("clip-path", "inset(50%)");
  });
  await test.step("the server's placeholder for an empty text is not shown beside a title or a file", async () => {
    await server.publish("door", "triggered", { title: "Somebody is at the door" });
    await server.publish("door", "You received a file: door.txt", {
      title: "A file came",
      file: { name: "door.txt", content: Buffer.from("ring") },
    });
    await subscribe(page, server, "door");
    await expect(page.getByRole("article", { name: "Somebody is at the door" })).not.toContainText("triggered");
    const file = page.getByRole("article", { name: "A file came" });
    await expect(file).toContainText("door.txt");
    await expect(file).not.toContainText("You received");
    await file.click();
    const details = page.getByRole("complementary").getByRole("article");
    await expect(details).toContainText("door.txt");
    await expect(details).not.toContainText("You received");
  });
  await test.step("a row is as high read as unread, and shows its dot whole", async () => {
    for (const priority of [1, 3, 4, 5] as const)
      await server.publish("heights", `of priority ${priority}`, { priority });
    await subscribe(page, server, "heights");
    await page.goto(`${server.url}#/heights`);
    const rows = page.getByRole("article");
    const heights = () => rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height));
    await expect(rows.getByText("Unread")).toHaveCount(4);
    const cut = await rows.evaluateAll((all) =>
      all.filter((row) => {
        const dot = row.querySelector(".dot")?.getBoundingClientRect();
        return !dot || dot.bottom > row.getBoundingClientRect().bottom;
      }),
    );
    expect(cut).toEqual([]);
    const unread = await heights();
    await page.getByRole("button", { name: /^Mark (all|th).* read$/ }).click();
    await expect(rows.getByText("Unread")).toHaveCount(0);
    await expect.poll(heights).toEqual(unread);
    expect(new Set(unread).size, "whatever the priority").toBe(1);
  });
  await test.step("below a day's heading rows show only the time of day", async () => {
    const nowS = Math.floor(Date.now() / 1000);
    await server.publish("days", "text", { title: "Of the day before yesterday", time: nowS - 2 * 86_400 });
    await subscribe(page, server, "days");
    const row = page.getByRole("article", { name: "Of the day before yesterday" });
    await expect(row.locator("time")).toHaveText(/^\s*\d\d:\d\d\s*$/);
  });
  await test.step("a link that a button already opens gets no second button", async () => {
    await server.publish("ci", "text", {
      title: "Passed",
      click: "https://ci.example/1",
      actions: [{ action: "view", label: "Open the run", url: "https://ci.example/1" }],
    });
    await subscribe(page, server, "ci");
    await expect(page.getByRole("article", { name: "Passed" }).getByRole("link")).toHaveText(["Open the run"]);
  });
  await test.step("on a phone the time is beside a right-to-left text without a title", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    const text = "השרת לא זמין";
    await server.publish("hebrew", text);
    await subscribe(page, server, "hebrew");
    await page.goto(`${server.url}#/hebrew`);
    const words = await message(page, text).getByText(text).boundingBox();
    const time = await message(page, text).locator("time").boundingBox();
    if (!words || !time) throw new Error("not on the screen");
    expect(Math.abs(words.y - time.y)).toBeLessThan(6);
    expect(time.x - words.x - words.width, "at the side where it begins").toBeLessThan(40);
  });
  await test.step("in a topic's feed no title, and no text in its place, has more lines because of the time", async () => {
    const words = "one more word of a text that grows until it fills some lines of a phone".split(" ");
    for (let count = 3; count <= words.length; count++) {
      const text = words.slice(0, count).join(" ");
      await server.publish("lines", text);
      await server.publish("lines", "text", { title: text });
    }
    await subscribe(page, server, "lines");
    await page.goto(`${server.url}#/lines`);
    for (const width of [360, 390, 660, 750]) {
      await page.setViewportSize({ width, height: 4000 });
      await expect(page.getByRole("article")).toHaveCount(2 * (words.length - 2));
      const taller = await page.getByRole("article").evaluateAll((rows) => {
        const heights = (): number[] =>
          rows.map((row) => {
            const range = document.createRange();
            range.selectNodeContents(row.querySelector("h2:not(.unseen), .text") ?? row);
            return range.getBoundingClientRect().height;
          });
        const showTimes = (display: string): void => {
          for (const time of document.querySelectorAll<HTMLElement>("article time")) time.style.display = display;
        };
        const withTimes = heights();
        showTimes("none");
        const without = heights();
        showTimes("");
        return rows.filter((_, at) => withTimes[at] !== without[at]).map(({ textContent }) => textContent);
      });
      expect(taller, `at ${width} px`).toEqual([]);
    }
  });
});

test("the server is named on rows of topics that share a name", async ({ server, page, startOther }) => {
  const other = await startOther();
  await server.publish("alerts", "text", { title: "From here" });
  await other.publish("alerts", "text", { title: "From there" });
  await server.publish("ci", "text", { title: "Alone" });
  await subscribe(page, server, "alerts");
  await subscribe(page, server, "ci");
  await page.goto(`${server.url}#/http:${other.host}/alerts`);
  await page.getByRole("button", { name: "Subscribe" }).click();
  await page.goto(`${server.url}#/`);
  await expect(page.getByRole("article", { name: "From here" })).toContainText(`· ${server.host}`);
  await expect(page.getByRole("article", { name: "From there" })).toContainText(`· ${other.host}`);
  await expect(page.getByRole("article", { name: "Alone" })).not.toContainText(server.host);

  await page.goto(`${server.url}#/~settings`);
  await page.getByText("Compact", { exact: true }).click();
  await page.goto(`${server.url}#/`);
  for (const [width, text] of [
    [1440, ""],
    [390, ""],
    [360, ""],
    [390, "200%"],
  ] as const) {
    await page.setViewportSize({ width, height: 844 });
    await page.evaluate((text) => (document.documentElement.style.fontSize = text), text);
    for (const [title, { host }] of [
      ["From here", server],
      ["From there", other],
    ] as const) {
      const row = page.getByRole("article", { name: title });
      await expect(row).toHaveClass(/compact/);
      for (const name of ["alerts", `· ${host}`, title]) {
        const cutPx = () =>
          row.getByText(name, { exact: true }).evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
        await expect.poll(cutPx, `px of “${name}” cut at ${width} px ${text}`).toBe(0);
      }
      const topic = await row.getByText("alerts", { exact: true }).boundingBox();
      const time = await row.locator("time").boundingBox();
      const middles = [topic, time].map((box) => (box ? box.y + box.height / 2 : NaN)) as [number, number];
      expect(Math.abs(middles[0] - middles[1]), `the time stands beside the topic at ${width} px ${text}`).toBeLessThan(
        12,
      );
    }
  }
  await page.evaluate(() => (document.documentElement.style.fontSize = ""));

  await page.goto(`${server.url}#/~wall`);
  const line = (title: string) => page.getByRole("listitem").filter({ hasText: title });
  await expect(line("From here")).toContainText(`alerts · ${server.host} ·`);
  await expect(line("From there")).toContainText(`alerts · ${other.host} ·`);
  await expect(line("Alone")).not.toContainText(server.host);
});

test("the server is named in the away card and where messages are deleted, too", async ({
  server,
  page,
  startOther,
}) => {
  const other = await startOther();
  await subscribe(page, server, "alerts");
  await page.goto(`${server.url}#/http:${other.host}/alerts`);
  await page.getByRole("button", { name: "Subscribe" }).click();
  await expect(page.getByText("No messages yet")).toBeVisible();
  await page.goto(`${server.url}#/`);
  for (const from of [server, other]) {
    for (const text of ["one", "two", "five"]) await from.publish("alerts", text, { priority: 4 });
  }
  await expect(page.getByRole("feed").getByRole("article")).toHaveCount(6);
  await wasAway(page, 3 * 3_600_000);
  await page.reload();
  const card = page.getByRole("article", { name: /^While you were away/ });
  await expect(card).toContainText(`alerts · ${server.host} 3`);
  await expect(card).toContainText(`alerts · ${other.host} 3`);

  await page.goto(`${server.url}#/~settings`);
  await page
    .getByRole("row", { name: `alerts · ${other.host}` })
    .getByRole("button")
    .click();
  await expect(page.getByRole("dialog", { name: other.host })).toBeVisible();
});

test.describe("compact", () => {
  test.use({ viewport: { width: 1280, height: 900 } });

  test("a row is one line of what its message says", async ({ server, page }) => {
    await test.step("the server's placeholder for an empty text is shown only in place of a file, and tools fit into a row", async () => {
      await server.publish("door", "triggered", { title: "Somebody is at the door" });
      await server.publish("door", "You received a file: door.txt", {
        title: "A file came",
        file: { name: "door.txt", content: Buffer.from("ring") },
      });
      await subscribe(page, server, "door");
      await page.goto(`${server.url}#/~settings`);
      await page.getByText("Compact", { exact: true }).click();
      await page.goto(`${server.url}#/`);
      await expect(page.getByRole("article", { name: "A file came" })).toContainText("door.txt");
      const other = page.getByRole("article", { name: "Somebody is at the door" });
      await expect(other).not.toContainText("triggered");

      // A row cuts what reaches out of it.
      await other.hover();
      const tools = other.getByRole("group", { name: "Message actions" }).getByRole("button");
      const names = await tools.evaluateAll((buttons) => buttons.map((button) => button.getAttribute("aria-label")));
      expect(names, "what deletes stands last").toEqual(["Mark read", "Star", "Done", "Snooze…", "Delete", "More"]);
      const row = await other.boundingBox();
      for (const part of [other.getByRole("checkbox"), other.getByRole("group")]) {
        await expect(part).toBeVisible();
        const box = await part.boundingBox();
        expect(box?.y).toBeGreaterThanOrEqual(row?.y ?? NaN);
        expect((box?.y ?? NaN) + (box?.height ?? NaN)).toBeLessThanOrEqual((row?.y ?? NaN) + (row?.height ?? NaN));
      }
    });
    await test.step("Markdown that is too long for its line ends in an ellipsis", async () => {
      await server.publish("home", `**Slow queries** on ${"one of many databases, ".repeat(12)}\n\n- more`, {
        title: "Alert",
        markdown: true,
      });
      await subscribe(page, server, "home");
      await page.goto(`${server.url}#/`);
      const text = message(page, "Slow queries").getByRole("paragraph");
      await expect(text).toHaveCSS("text-overflow", "ellipsis");
      const [content, box] = await text.evaluate((line) => [line.scrollWidth, line.clientWidth]);
      expect(content, "it is the paragraph that is cut").toBeGreaterThan(box ?? Infinity);
    });
    await test.step("shows one line for each message, even before the app has come", async () => {
      for (let at = 1; at <= 40; at++) {
        await server.publish("notes", "one line\nand another\n\nand a third", {
          title: `Number-${at}`,
          tags: ["a", "b"],
        });
      }
      await subscribe(page, server, "notes");
      await page.goto(`${server.url}#/`);
      const inView = () =>
        page
          .getByRole("article")
          .evaluateAll((rows) => rows.filter((row) => row.getBoundingClientRect().bottom <= innerHeight).length);
      await expect.poll(inView).toBeGreaterThanOrEqual(24);
      await page.reload();
      await expect.poll(inView).toBeGreaterThanOrEqual(24);

      await page.setViewportSize({ width: 390, height: 844 });
      const bar = page.getByRole("navigation", { name: "Main" });
      const aboveBar = async () => {
        const end = await bar.evaluate((element) => element.getBoundingClientRect().top);
        return page
          .getByRole("article")
          .evaluateAll((rows, end) => rows.filter((row) => row.getBoundingClientRect().bottom <= end).length, end);
      };
      await expect.poll(aboveBar, "on a phone, too").toBeGreaterThanOrEqual(15);
    });
    await test.step("a Markdown list takes one line of a phone", async () => {
      await server.publish("lists", "- the first of a few points\n- the second\n- the third", { markdown: true });
      await subscribe(page, server, "lists");
      await page.setViewportSize({ width: 390, height: 844 });
      await page.goto(`${server.url}#/`);
      const row = message(page, "the first of a few points");
      await expect(row.getByRole("listitem").first()).toBeVisible();
      expect((await row.boundingBox())?.height).toBeLessThan(40);
    });
  });
});
