import { expect, subscribe, test } from "./fixtures";
import { message, openMessage, wasAway } from "./on-screen";

test.describe("of a wide page", () => {
  test.use({ compact: true });

  test("rows have one line, of a narrow one more, until one is chosen", async ({ server, page }) => {
    await server.publish("home", "text", { title: "Title" });
    await subscribe(page, server, "home");
    const height = async () => (await message(page, "Title").boundingBox())?.height;
    for (const [width, high] of [
      [1440, 28],
      [1100, 76],
      [390, 76],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      await expect.poll(height, `at ${width} px`).toBe(high);
    }
    await page.goto(`${server.url}#/~settings/appearance`);
    await page.getByText("Comfortable", { exact: true }).click();
    await page.setViewportSize({ width: 1440, height: 800 });
    await page.goto(`${server.url}#/home`);
    await expect.poll(height).toBe(76);
  });
});

test("rows of all priorities, and of texts of all kinds", async ({ server, page }) => {
  await test.step("a row is as tall read as unread, and shows its dot whole", async () => {
    for (const priority of [1, 3, 4, 5] as const) await server.publish("home", `of priority ${priority}`, { priority });
    await subscribe(page, server, "home");
    await page.goto(`${server.url}#/home`);
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
  await test.step("a row is one stop of the Tab key, and a key opens its menu", async () => {
    for (const title of ["First", "Second"]) await server.publish("keys", "text", { title, tags: ["tag"] });
    await subscribe(page, server, "keys");
    await message(page, "Second").focus();
    await page.keyboard.press("Tab");
    await expect(message(page, "First")).toBeFocused();
    await page.keyboard.press("Shift+F10");
    await expect(page.getByRole("menuitem", { name: "Mark read" })).toBeFocused();
  });
  await test.step("a row shows two lines of a text, three of a log, its time of day, and tags and a link once; and opens for the rest", async () => {
    const nowS = Math.floor(Date.now() / 1000);
    await server.publish("backups", "text", { title: "Of the day before yesterday", time: nowS - 2 * 86_400 });
    await server.publish("backups", "The washing machine is done");
    await server.publish("backups", "text", {
      title: "Passed",
      click: "https://ci.example/1",
      actions: [{ action: "view", label: "Open the run", url: "https://ci.example/1" }],
    });
    const log = Array.from({ length: 12 }, (_, at) => `12:00:0${String(at % 10)} INFO step ${String(at)}`).join("\n");
    await server.publish("backups", log, { title: "Log" });
    await server.publish("backups", "word ".repeat(800), { title: "Long" });
    const tags = ["backups", "photos", ...Array.from({ length: 200 }, (_, at) => `tag-${String(at)}`)];
    await server.publish("backups", "text", { title: "Many", tags });
    await subscribe(page, server, "backups");

    const untitled = page.getByRole("article", { name: `${server.host}/backups` });
    await expect(untitled, "without a title it is named by its topic").toContainText("The washing machine is done");
    await expect(untitled.getByRole("heading")).toHaveCSS("clip-path", "inset(50%)");
    expect((await untitled.boundingBox())?.height).toBe(56);
    const row = page.getByRole("article", { name: "Of the day before yesterday" });
    await expect(row.locator("time"), "the day is in the heading above").toHaveText(/^\s*\d\d:\d\d\s*$/);
    await expect(
      page.getByRole("article", { name: "Passed" }).getByRole("link"),
      "a link that a button opens gets no second one",
    ).toHaveText(["Open the run"]);
    await expect(message(page, "Log")).toContainText("+ 9 lines");
    await expect(message(page, "Log")).not.toContainText("step 3");
    expect((await message(page, "Long").boundingBox())?.height).toBe(96);
    const opened = await openMessage(page, "Log");
    await expect(opened).toContainText("step 11");
    await page.goto(`${server.url}#/backups`);

    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 800 });
      const row = page.getByRole("article", { name: "Many" });
      await expect(row.getByRole("button", { name: "Filter by tag photos" })).toBeVisible();
      await expect(row.getByRole("button", { name: "Filter by tag backups" }), "its topic's name").toHaveCount(0);
      await expect(row.getByText(/^\+\d+$/), "as many as have room").toBeInViewport({ ratio: 1 });
      expect((await row.boundingBox())?.height).toBe(76);
    }
  });
  await test.step("the time ends the first line of every row, and neither title nor text is beside it", async () => {
    const long = "one more word of a title that grows until it fills some lines of a phone";
    for (const title of ["Short", long, "x".repeat(4000), "🎉".repeat(40), "השרת לא זמין"]) {
      await server.publish("long", long, { title, tags: ["one", "two"] });
      await server.publish("long", title);
    }
    await subscribe(page, server, "long");
    for (const [width, size] of [
      [1440, ""],
      [390, ""],
      [320, ""],
      [390, "200%"],
    ] as const) {
      await page.setViewportSize({ width, height: 2000 });
      await page.evaluate((size) => (document.documentElement.style.fontSize = size), size);
      await expect(page.getByRole("article")).toHaveCount(10);
      const places = () =>
        page.getByRole("article").evaluateAll((rows) =>
          rows.map((row) => {
            const range = document.createRange();
            range.selectNodeContents(row.querySelector("h2:not(.unseen), .text") ?? row);
            const time = row.querySelector("time")?.getBoundingClientRect();
            const box = row.getBoundingClientRect();
            return {
              end: Math.round(box.right - (time?.right ?? 0)),
              below: range.getBoundingClientRect().top >= (time?.bottom ?? Infinity) - 4,
            };
          }),
        );
      // The rows take their new places some frames after the window has its size.
      const edges = async () => new Set((await places()).map(({ end }) => end)).size;
      await expect.poll(edges, `at one edge at ${width} px ${size}`).toBe(1);
      await expect.poll(async () => (await places()).every(({ below }) => below)).toBe(true);
    }
  });
});

test("the server is named where topics share a name", async ({ server, page, startOther }) => {
  const other = await startOther();
  await test.step("the server is named on rows of topics that share a name", async () => {
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

    await page.goto(`${server.url}#/~settings/appearance`);
    await page.getByText("Compact", { exact: true }).click();
    await page.goto(`${server.url}#/`);
    for (const [width, text] of [
      [1440, ""],
      [390, ""],
      [360, ""],
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
        expect(
          Math.abs(middles[0] - middles[1]),
          `the time stands beside the topic at ${width} px ${text}`,
        ).toBeLessThan(12);
      }
    }
    await page.evaluate(() => (document.documentElement.style.fontSize = ""));

    await page.goto(`${server.url}#/~wall`);
    const line = (title: string) => page.getByRole("listitem").filter({ hasText: title });
    await expect(line("From here")).toContainText(`alerts · ${server.host} ·`);
    await expect(line("From there")).toContainText(`alerts · ${other.host} ·`);
    await expect(line("Alone")).not.toContainText(server.host);
  });
  await test.step("the server is named in the away card and where messages are deleted, too", async () => {
    await page.setViewportSize({ width: 1280, height: 720 });
    await page.goto(`${server.url}#/`);
    for (const from of [server, other]) {
      for (const text of ["one", "two", "five"]) await from.publish("alerts", text, { priority: 4 });
    }
    await expect(page.getByRole("feed").getByRole("article")).toHaveCount(9);
    await wasAway(page, 3 * 3_600_000);
    await page.reload();
    const card = page.getByRole("article", { name: /^While you were away/ });
    await expect(card).toContainText(`alerts · ${server.host} 3`);
    await expect(card).toContainText(`alerts · ${other.host} 3`);

    await page.goto(`${server.url}#/~settings/storage`);
    await page
      .getByRole("row", { name: `alerts · ${other.host}` })
      .getByRole("button")
      .click();
    await expect(page.getByRole("dialog", { name: other.host })).toBeVisible();
  });
});

test.describe("compact", () => {
  test.use({ viewport: { width: 1280, height: 900 } });

  test("texts fit into one line, tools too, and a screen has room for many rows, even before the app has come", async ({
    server,
    page,
  }) => {
    await test.step("the server's placeholder for an empty text is never shown beside a title or a file; in compact rows tools fit, and a long text ends in an ellipsis", async () => {
      await server.publish("door", "triggered", { title: "Somebody is at the door" });
      await server.publish("door", "You received a file: door.txt", {
        title: "A file came",
        file: { name: "door.txt", content: Buffer.from("ring") },
      });
      await server.publish("door", `**Slow queries** on ${"one of many databases, ".repeat(12)}\n\n- more`, {
        title: "Alert",
        markdown: true,
      });
      await subscribe(page, server, "door");
      const other = page.getByRole("article", { name: "Somebody is at the door" });
      await expect(other).not.toContainText("triggered");
      const file = page.getByRole("article", { name: "A file came" });
      await expect(file).toContainText("door.txt");
      await expect(file).not.toContainText("You received");
      await file.click();
      const details = page.getByRole("complementary").getByRole("article");
      await expect(details).toContainText("door.txt");
      await expect(details).not.toContainText("You received");

      await page.goto(`${server.url}#/~settings/appearance`);
      await page.getByText("Compact", { exact: true }).click();
      await page.goto(`${server.url}#/`);
      await expect(file).toContainText("door.txt");
      await expect(other).not.toContainText("triggered");
      const text = page.getByRole("article").getByText("Slow queries on one of");
      await expect(text).toHaveCSS("text-overflow", "ellipsis");
      const [content, box] = await text.evaluate((line) => [line.scrollWidth, line.clientWidth]);
      expect(content).toBeGreaterThan(box ?? Infinity);

      // A row cuts what reaches out of it.
      await other.hover();
      const tools = other.getByRole("group", { name: "Message actions" }).getByRole("button");
      const names = await tools.evaluateAll((buttons) => buttons.map((button) => button.getAttribute("aria-label")));
      expect(names, "what deletes stands last").toEqual(["Mark read", "Star", "Done", "Snooze…", "Delete", "More"]);
      const row = await other.boundingBox();
      for (const part of [other.getByRole("checkbox"), ...(await tools.all())]) {
        await expect(part).toBeVisible();
        const box = await part.boundingBox();
        expect(box?.y).toBeGreaterThanOrEqual(row?.y ?? NaN);
        expect((box?.y ?? NaN) + (box?.height ?? NaN)).toBeLessThanOrEqual((row?.y ?? NaN) + (row?.height ?? NaN));
      }

      for (let at = 1; at <= 3; at++) await server.publish("door", `Copied ${at} GB`);
      await page.goto(`${server.url}#/~columns/door;~starred;~done`);
      const copied = page.getByRole("article").getByText("Copied 3 GB");
      const width = async () => (await copied.locator("..").boundingBox())?.width;
      await expect.poll(width, "how often it came leaves room for what it says").toBeGreaterThan(80);
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
  });
});
