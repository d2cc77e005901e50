import type { Page } from "@playwright/test";
import { chooseInMenu, expectLive, message, notice, openMessage, pointAtFeed, storedSetting } from "./on-screen";
import { expect, lines, messageEvent, nowS, subscribe, test, type ScriptedServer } from "./scripted-server";

/** Subscribes to a topic of the scripted server. */
async function subscribeToScripted(page: Page, appUrl: string, { host }: ScriptedServer, topic: string): Promise<void> {
  await page.goto(`${appUrl}#/http:${host}/${topic}`);
  await page.getByRole("button", { name: "Subscribe" }).click();
  await expect(page.getByRole("feed").or(page.getByText("No messages yet"))).toBeVisible();
}

test("rows of the feed say what their messages are", async ({ server, page }) => {
  await test.step("a feed consists of articles, each named by its title, or else by host and topic", async () => {
    await server.publish("named", "with a title", { title: "Door open" });
    await server.publish("named", "without one");
    await subscribe(page, server, "named");
    const feed = page.getByRole("feed", { name: "Messages" });
    await expect(feed.getByRole("article")).toHaveCount(2);
    await expect(feed.getByRole("article", { name: "Door open", exact: true })).toContainText("with a title");
    await expect(feed.getByRole("article", { name: `${server.host}/named`, exact: true })).toContainText("without one");
    await expect(feed.getByRole("article").first()).toHaveAttribute("aria-posinset", "1");
    await expect(feed.getByRole("article").first()).toHaveAttribute("aria-setsize", "2");
  });
  await test.step("high priorities have a shape with a name, low ones are grey and named to screen readers", async () => {
    for (const priority of [1, 2, 3, 4, 5] as const) {
      await server.publish("priorities", "text", { title: `Priority ${priority}`, priority });
    }
    await server.publish("priorities", "text", { title: "No priority" });
    await subscribe(page, server, "priorities");
    const names = { 4: "High", 5: "Urgent" };
    const shapes = new Set<string | null>();
    for (const [priority, name] of Object.entries(names)) {
      const mark = page.getByRole("article", { name: `Priority ${priority}` }).getByRole("img");
      await expect(mark).toHaveAccessibleName(name);
      shapes.add(await mark.locator("path").first().getAttribute("d"));
    }
    expect(shapes.size, "told apart without colour").toBe(2);
    const row = (name: string) => page.getByRole("article", { name });
    const colourOf = (name: string) =>
      row(name)
        .getByRole("heading")
        .evaluate((title) => getComputedStyle(title).color);
    for (const [name, said] of [
      ["Priority 1", "Min"],
      ["Priority 2", "Low"],
    ] as const) {
      await expect(row(name).getByText(said, { exact: true })).toBeAttached();
      expect(await colourOf(name)).not.toBe(await colourOf("Priority 3"));
    }
    for (const name of ["Priority 1", "Priority 2", "Priority 3", "No priority"])
      await expect(row(name).getByRole("img")).toHaveCount(0);
  });
  await test.step("emoji precede the title or the text, and other tags filter when pressed", async () => {
    await server.publish("tagged", "91 percent", { title: "Disk", tags: ["warning", "backup", "skull", "nightly"] });
    await server.publish("tagged", "without a title", { tags: ["tada"] });
    await server.publish("tagged", "another", { title: "Another", tags: ["backup"] });
    await server.publish("tagged", "last", { title: "Last", tags: ["Warning"] });
    await subscribe(page, server, "tagged");
    const disk = message(page, "91 percent");
    await expect(disk.getByRole("heading")).toHaveText("⚠️ 💀 Disk");
    await expect(disk.getByRole("button", { name: /^Filter by tag/ })).toHaveText(["backup", "nightly"]);
    await expect(message(page, "without a title").getByText("🎉 without a title")).toBeVisible();
    await expect(message(page, "last").getByRole("button", { name: "Filter by tag Warning" })).toBeVisible();

    await disk.getByRole("button", { name: "Filter by tag backup" }).click();
    await expect(page.getByRole("article")).toHaveCount(2);
    await expect(page).toHaveURL(`${server.url}#/tagged?tags=backup`);
    await disk.getByRole("button", { name: "Filter by tag nightly" }).click();
    await expect(page.getByRole("article")).toHaveCount(1);
    await disk.getByRole("button", { name: "Filter by tag backup" }).click();
    await disk.getByRole("button", { name: "Filter by tag nightly" }).click();
    await expect(page.getByRole("article")).toHaveCount(4);
    await expect(page).toHaveURL(`${server.url}#/tagged`);
  });
  await test.step("an uploaded file is shown with its name, type, size and expiry", async () => {
    await server.curl("files", "not a picture at all, but long enough", { Filename: "report.txt" });
    await subscribe(page, server, "files");
    const file = message(page, "report.txt");
    await expect(file.getByRole("link", { name: "report.txt" })).toHaveAttribute("href", /\/file\/\w+\.txt$/);
    await expect(file).toContainText(/TXT · 37 bytes · on the server for another (3|2) h/);
  });
  await test.step("beside the feed how long ago a message came is not broken across lines", async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await server.publish("sooner", "Door open", { time: nowS() - 30 * 60 });
    await subscribe(page, server, "sooner");
    await page.getByRole("article").click();
    const ago = page.getByRole("complementary", { name: "Message" }).getByText(/min ago$/);
    await expect(ago).toBeVisible();
    const lines = await ago.evaluate((words) =>
      Array.from({ length: 20 }, (_, at) => 200 + 8 * at).map((px) => {
        const line = words.closest("p");
        if (line) line.style.inlineSize = `${px}px`;
        const own = words.getBoundingClientRect();
        const isBelow = own.top > (line?.querySelector("time")?.getBoundingClientRect().top ?? NaN);
        // A dot at the start of a line lies outside of it, where it is clipped.
        const isDotCut = own.left < (line?.getBoundingClientRect().left ?? NaN);
        return { px, pieces: words.getClientRects().length, isDotRight: isBelow === isDotCut };
      }),
    );
    for (const { px, ...found } of lines) expect(found, `${px} px`).toEqual({ pieces: 1, isDotRight: true });
  });
});

test.describe("a server that keeps messages for days", () => {
  test.use({ serverOptions: { cache: 30 * 86_400 } });

  test("messages of some days", async ({ server, page }) => {
    await test.step("times are shown as people say them, exact on hover, and days have headings", async () => {
      const days = { today: 0, yesterday: 1, before: 9 };
      for (const [text, ago] of Object.entries(days)) {
        await server.publish("times", text, { time: nowS() - ago * 86_400 });
      }
      await subscribe(page, server, "times");
      const zone = { timeZone: "Europe/Berlin" };
      const clock = new Intl.DateTimeFormat("en-GB", { ...zone, hour: "2-digit", minute: "2-digit" });
      const date = new Intl.DateTimeFormat("en-GB", { ...zone, day: "numeric", month: "short" });
      const shown = async (text: string) => {
        const time = message(page, text).locator("time");
        const ms = Date.parse((await time.getAttribute("datetime")) ?? "");
        await time.hover();
        await expect(time).toHaveAttribute("title", /^\w{3} \d{1,2} \w{3,4} \d{4}, \d{2}:\d{2}:\d{2}$/);
        await expect(time).toHaveAttribute("title", new RegExp(`${date.format(ms)} .*${clock.format(ms)}:`));
        return { text: await time.innerText(), clock: clock.format(ms), date: date.format(ms) };
      };
      const today = await shown("today");
      expect(today.text).toBe(today.clock);
      const yesterday = await shown("yesterday");
      expect(yesterday.text, "the day stands above it").toBe(yesterday.clock);
      const before = await shown("before");
      expect(before.text).toBe(before.clock);

      const weekday = new Intl.DateTimeFormat("en-GB", { ...zone, weekday: "long", day: "numeric", month: "long" });
      const heading = weekday.format((nowS() - 9 * 86_400) * 1000).replace(",", "");
      const feed = page.getByRole("feed");
      await expect(feed).toContainText(
        new RegExp(`Today.*today.*Yesterday.*yesterday.*${heading}.*before`.replaceAll(".*", "[\\s\\S]*")),
      );
    });
    await test.step("its page says how often in what time, when, and leads to each of them", async () => {
      for (const [days, percent] of [3, 3, 2, 1, 1].map((days, at) => [days, 81 + at] as const)) {
        // Some seconds apart, as few as may lie on the two sides of midnight.
        const time = nowS() - days * 86_400 - (percent - 81);
        await server.publish("notes", `Disk sda1 is ${percent} % full`, { title: "nas", time });
      }
      await server.publish("notes", "Disk sdb1 is 90 % full", { title: "nas" });
      await server.publish("notes", "Disk sda1 is 91 % full", { title: "nas" });
      await subscribe(page, server, "notes", "elsewhere");
      await page.goto(`${server.url}#/notes`);
      await message(page, "91 %").click();
      const details = page.getByRole("region", { name: /^Seen/ });
      await expect(details.getByRole("heading")).toHaveText("Seen 6 times within 3 days");
      await expect(details.getByRole("img")).toHaveAccessibleName(/first .*, last .*, at most 2 in one bar/);
      await expect(details.locator("rect")).toHaveCount(4);

      await server.publish("elsewhere", "Disk sda1 is 92 % full", { title: "nas" });
      await server.publish("notes", "Disk sda1 is 92 % full", { title: "nas" });
      await expect(details.getByRole("heading"), "also of those that come now").toHaveText(
        "Seen 7 times within 3 days",
      );

      const list = details.getByRole("button", { name: "List them" });
      await list.press("Enter");
      await expect(details.getByRole("link")).toHaveCount(7);
      await expect(details.getByRole("link", { name: "91 %" })).toHaveAttribute("aria-current", "true");
      // The address names the message once it was shown for a while, and Back leads there.
      const address = (await details.getByRole("link", { name: "91 %" }).getAttribute("href")) ?? "";
      await expect(page).toHaveURL(address);
      await details.getByRole("link", { name: "83 %" }).click();
      await expect(details.getByRole("heading")).toHaveText("Seen 7 times within 3 days");
      await expect(page.getByRole("complementary").getByText("Disk sda1 is 83 % full").first()).toBeVisible();
      await page.goBack();
      await expect(page.getByRole("complementary").getByText("Disk sda1 is 91 % full").first()).toBeVisible();
    });
    await test.step("its page says so if it is the only one", async () => {
      await server.publish("alone", "HTTP 200", { title: "web-01" });
      await server.publish("alone", "HTTP 500", { title: "web-01" });
      await subscribe(page, server, "alone");
      await message(page, "HTTP 500").click();
      await expect(page.getByText("No other message like it is stored.")).toBeVisible();
    });
  });
});

test("plain texts, and the click target", async ({ server, page, context, scripted }) => {
  await test.step("plain text keeps its lines, and its addresses are links", async () => {
    await server.publish("lines", "first line\n  second *line*\nsee https://example.org/a?b=c.");
    await subscribe(page, server, "lines");
    const body = message(page, "first line").locator(".body");
    expect(await body.innerText()).toBe("first line\n  second *line*\nsee https://example.org/a?b=c.");
    await expect(body.getByRole("link")).toHaveAttribute("href", "https://example.org/a?b=c");
  });
  await test.step("JSON has a line for each entry, indented, and its addresses are links", async () => {
    const report = { free: { root: "12 GB" }, log: "https://example.org/log", حالة: 1 };
    await server.publish("lines", JSON.stringify(report), { title: "Report" });
    const body = (await openMessage(page, "Report")).locator(".body");
    const text = body.locator(".text");
    expect(await text.innerText()).toBe(JSON.stringify(report, null, 2));
    const indent = await text.evaluate((element) => {
      const quote = document.createRange();
      const rest = [...element.childNodes].find((node) => node.textContent?.includes("حالة")) as Text;
      quote.setStart(rest, rest.data.indexOf('"حالة'));
      quote.setEnd(rest, quote.startOffset + 1);
      return quote.getBoundingClientRect().left - element.getBoundingClientRect().left;
    });
    expect(indent, "a line of Arabic begins at the left, too").toBeLessThan(40);
    await expect(body.getByRole("link")).toHaveAttribute("href", "https://example.org/log");
  });
  await test.step("the output of a program keeps its columns in a fixed-width face, prose does not get one", async () => {
    const table = [
      "Filesystem  Size  Use%",
      "/dev/sda1    98G   96%",
      "tmpfs       3.9G    0%",
      "/dev/sdb1   1.8T   64%",
    ];
    await server.publish("columns", table.join("\n"), { title: "Disks" });
    await server.publish("columns", "Dear all,\nthe printer is broken.\nAsk Mira for the code.\nSorry about that.", {
      title: "Printer",
    });
    await subscribe(page, server, "columns");
    const faceOf = (title: string) =>
      message(page, title)
        .getByText(title === "Disks" ? "tmpfs" : "Mira")
        .evaluate((text) => getComputedStyle(text).fontFamily);
    expect(await faceOf("Disks")).toContain("monospace");
    expect(await faceOf("Printer")).not.toContain("monospace");
    expect(await message(page, "Disks").getByText("tmpfs").innerText()).toBe(table.slice(0, 3).join("\n"));
    const opened = await openMessage(page, "Disks");
    expect(await opened.getByText("tmpfs").innerText()).toBe(table.join("\n"));
    await opened.getByRole("button", { name: "Wrap lines" }).click();
    await expect(opened.getByText("tmpfs")).toHaveCSS("white-space", "pre-wrap");
    await opened.getByRole("button", { name: "Don't wrap lines" }).click();
    await expect(opened.getByText("tmpfs")).toHaveCSS("white-space", "pre");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await opened.getByRole("button", { name: "Copy text" }).click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(table.join("\n"));
  });
  await test.step("the click target is a link that reveals nothing about this page, and plain text if it would run code", async () => {
    await server.publish("targets", "has a target", { click: `${scripted.url}/target` });
    await server.publish("targets", "has a bad one", { click: "javascript:alert(1)" });
    await subscribe(page, server, "targets");
    const link = message(page, "has a target").getByRole("link", { name: `Open ${scripted.host}` });
    await expect(link).toHaveAttribute("href", `${scripted.url}/target`);
    const opened = context.waitForEvent("page");
    await link.click();
    const target = await opened;
    await expect(target).toHaveURL(`${scripted.url}/target`);
    expect(await target.evaluate(() => window.opener as unknown)).toBeNull();
    expect(scripted.requests.find(({ url }) => url === "/target")?.headers).not.toHaveProperty("referer");
    const bad = message(page, "has a bad one");
    await expect(bad).toContainText("javascript:alert(1)");
    await expect(bad.getByRole("link")).toHaveCount(0);
  });
});

test("Markdown is rendered and sanitised; its images wait for a press", async ({ server, page, scripted }) => {
  const text = [
    "# Heading",
    "**bold** and [a link](https://example.org/) and [a bad one](javascript:alert(1))" +
      `[![linked](${scripted.url}/linked.png)](https://example.org/)`,
    "",
    "- one",
    "- two",
    "",
    "| a | b |",
    "| - | - |",
    "| 1 | 2 |",
    "",
    "`code` <script>alert(1)</script> <img src=x onerror=alert(1)>",
    "",
    `![a picture](${scripted.url}/picture.png)`,
  ].join("\n");
  await server.publish("notes", text, { markdown: true });
  await subscribe(page, server, "notes");
  await expect(message(page, "bold"), "without its marks in the feed").toContainText("Heading\nbold and a link");
  const shown = await openMessage(page, "bold");
  await expect(shown.locator("strong")).toHaveText("bold");
  await expect(shown.getByRole("listitem")).toHaveText(["one", "two"]);
  await expect(shown.getByRole("cell")).toHaveText(["1", "2"]);
  await expect(shown.locator("code")).toHaveText("code");
  await expect(shown.locator(".body").getByRole("link")).toHaveText(["a link", "linked"]);
  await expect(shown.locator(".body").getByRole("link").first()).toHaveAttribute("rel", /noopener/);
  await expect(shown.locator(".markdown").getByRole("heading"), "the outline of the page stays").toHaveCount(0);
  await expect(shown.locator("script, [onerror]")).toHaveCount(0);
  await expect(shown, "shown as it was written").toContainText("<script>alert(1)</script>");

  expect(scripted.requests).toEqual([]);
  await shown.getByRole("button", { name: `Load image “a picture” from ${scripted.host}` }).press("Enter");
  const picture = shown.getByRole("button", { name: "Enlarge a picture" });
  await expect(picture, "the focus stays where the image was asked for").toBeFocused();
  await expect(picture.getByRole("img")).toBeVisible();
  expect(scripted.asked(/picture\.png/)).toBe(1);
  await picture.press("Enter");
  const enlarged = page.getByRole("dialog", { name: "a picture" });
  await expect(enlarged).toContainText(`From ${scripted.host}`);
  await page.keyboard.press("Escape");
  await expect(enlarged).toHaveCount(0);
  await expect(picture).toBeFocused();
  await shown.getByRole("button", { name: `Load image “linked” from ${scripted.host}` }).click();
  await expect(shown.getByRole("link").getByRole("img", { name: "linked" }), "the link is what is pressed").toHaveCount(
    1,
  );
  await expect(shown.getByRole("button", { name: /^Enlarge/ })).toHaveCount(1);
});

test("buttons open, copy, say which app alone can do it, and clear their message once they have succeeded", async ({
  server,
  page,
  context,
  scripted,
}) => {
  await test.step("a button that clears its message marks it read once it has succeeded", async () => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    scripted.answer = ({ url }, response) => {
      if (url === "/fails") response.writeHead(500).end();
      return url === "/fails";
    };
    await subscribe(page, server, "notes");
    await expectLive(page);
    await page.goto(`${server.url}#/`);
    const clear = true;
    await server.publish("notes", "a link", { actions: [{ action: "view", label: "Look", url: scripted.url, clear }] });
    await server.publish("notes", "a code", { actions: [{ action: "copy", label: "Copy it", value: "1234", clear }] });
    const requests = ["works", "fails"].map((name) => ({
      action: "http",
      label: name,
      url: `${scripted.url}/${name}`,
    }));
    await server.publish("notes", "requests", { actions: requests.map((action) => ({ ...action, clear })) });
    await expect(page).toHaveTitle(/^\(3\)/);

    const opened = context.waitForEvent("page");
    await message(page, "a link").getByRole("link", { name: "Look" }).click();
    await opened;
    await page.bringToFront();
    await expect(page).toHaveTitle(/^\(2\)/);
    await message(page, "a code").getByRole("button", { name: "Copy it" }).click();
    await expect(page).toHaveTitle(/^\(1\)/);
    const send = page.getByRole("dialog").getByRole("button", { name: "Send" });
    await message(page, "requests").getByRole("button", { name: "fails" }).click();
    await send.click();
    await expect(notice(page)).toContainText("fails: the address answered with an error (500)");
    await expect(page).toHaveTitle(/^\(1\)/);
    await message(page, "requests").getByRole("button", { name: "works" }).click();
    await send.click();
    await expect(page).toHaveTitle(/^[^(]/);
  });
  await test.step("buttons open, copy, or say which app alone can do it", async () => {
    await server.publish("others", "three buttons", {
      actions: [
        { action: "view", label: "Look", url: `${scripted.url}/page` },
        { action: "copy", label: "Copy the code", value: "1234 5678" },
        { action: "broadcast", label: "Tell the phone", extras: { cmd: "pic" } },
      ],
    });
    await subscribe(page, server, "others");
    const shown = message(page, "three buttons");
    const opened = context.waitForEvent("page");
    await shown.getByRole("link", { name: "Look" }).click();
    await expect(await opened).toHaveURL(`${scripted.url}/page`);
    await page.bringToFront();
    await shown.getByRole("button", { name: "Copy the code" }).click();
    await expect(notice(page)).toContainText("Copied");
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("1234 5678");
    const broadcast = shown.getByRole("button", { name: "Tell the phone" });
    await expect(broadcast).toHaveAttribute("aria-disabled", "true");
    await broadcast.click({ force: true });
    await expect(notice(page)).toContainText("Only the server's Android app can do this");

    await openMessage(page, "three buttons");
    await page.getByRole("tab", { name: "Raw" }).click();
    await page.getByRole("button", { name: "Copy as curl" }).click();
    await expect(notice(page)).toContainText("Copied");
    const line = await page.evaluate(() => navigator.clipboard.readText());
    const [, json = "", address = ""] = /^curl -d '(.*)' (\S+)$/.exec(line) ?? [];
    const again = await fetch(address, { method: "POST", body: json });
    expect(again.status).toBe(200);
    await expect(message(page, "three buttons")).toHaveCount(2);
  });
});

test("a button that sends a request", async ({ server, page, scripted, startOther, watch }) => {
  await test.step("a button that sends a request shows the request, asks once, and reports the result", async () => {
    scripted.answer = ({ url }, response) => {
      if (url !== "/fails") return false;
      response.writeHead(500).end();
      return true;
    };
    const headers = { "X-Room": "kitchen" };
    await server.publish("notes", "the light is on", {
      actions: [
        { action: "http", label: "Switch off", url: `${scripted.url}/light`, method: "PUT", body: '{"on":0}', headers },
        { action: "http", label: "Break", url: `${scripted.url}/fails` },
      ],
    });
    await subscribe(page, server, "notes");
    const shown = message(page, "the light is on");
    const dialog = page.getByRole("dialog", { name: "“Switch off” sends a request" });
    await shown.getByRole("button", { name: "Switch off" }).click();
    await expect(dialog).toContainText(`PUT ${scripted.url}/light`);
    await expect(dialog).toContainText('{"on":0}');
    await expect(dialog).toContainText("X-Room: kitchen");
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await expect(dialog).toBeHidden();
    expect(scripted.requests, "nothing is sent before").toEqual([]);

    await shown.getByRole("button", { name: "Switch off" }).click();
    await expect(dialog.getByRole("checkbox")).toHaveAccessibleName(
      `Don't ask again when messages of notes request PUT ${scripted.url}/light`,
    );
    await expect(dialog.getByRole("checkbox"), "consent is for once until somebody wants more").not.toBeChecked();
    await dialog.getByRole("button", { name: "Send" }).click();
    await expect(notice(page)).toContainText("Switch off: done (200)");
    expect(scripted.requests).toMatchObject([{ method: "PUT", url: "/light", body: '{"on":0}' }]);
    expect(scripted.requests[0]?.headers).toMatchObject({ "x-room": "kitchen" });
    const done = shown.getByRole("button", { name: /^Switch off ✓ \d\d:\d\d$/ });
    await expect(done, "what it did stays on it").toBeVisible();
    await page.reload();
    await done.click();
    await dialog.getByRole("checkbox").check();
    await dialog.getByRole("button", { name: "Send" }).click();
    await expect(notice(page)).toContainText("Switch off: done (200)");
    expect(scripted.asked(/light/)).toBe(2);
    await page.reload();
    await shown.getByRole("button", { name: "Switch off" }).click();
    await expect(notice(page), "what was to be remembered").toContainText("Switch off: done (200)");
    expect(scripted.asked(/light/)).toBe(3);

    await shown.getByRole("button", { name: "Break" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Send" }).click();
    await expect(notice(page)).toContainText("Break: the address answered with an error (500)");
    await expect(shown.getByRole("button", { name: "Break failed (500) · Retry" })).toBeVisible();
    expect(scripted.requests.at(-1)?.method).toBe("POST");

    // What was allowed is listed in the settings, and can be taken back.
    await page.goto(`${server.url}#/~settings/reading`);
    await expect(page.getByText(`PUT ${scripted.url}/light`)).toBeVisible();
    await page.getByRole("button", { name: `Ask again before requests to ${scripted.url}/light` }).click();
    await expect(page.getByText(`PUT ${scripted.url}/light`)).toHaveCount(0);
    await page.goBack();
    await shown.getByRole("button", { name: "Switch off" }).click();
    await expect(dialog).toBeVisible();
  });
  await test.step("a request is sent only to the address that was agreed to, and follows no redirect", async () => {
    await page.keyboard.press("Escape");
    const before = scripted.requests.length;
    const other = await startOther();
    scripted.answer = ({ url }, response) => {
      const to = { "/far": `${other.url}forged/publish?message=forged`, "/near": "/forged" }[url];
      if (to !== undefined) response.writeHead(307, { Location: to }).end();
      return to !== undefined;
    };
    const action = { action: "http", method: "GET" } as const;
    await server.publish("redirected", "two buttons", {
      actions: [
        { ...action, label: "Far", url: `${scripted.url}/far` },
        { ...action, label: "Near", url: `${scripted.url}/near` },
      ],
    });
    await subscribe(page, server, "redirected");
    for (const label of ["Far", "Near"]) {
      await message(page, "two buttons").getByRole("button", { name: label }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Send" }).click();
      await expect(notice(page)).toContainText(
        `${label}: the address redirects to another one, which was not contacted`,
      );
      await expect(message(page, "two buttons").getByRole("button", { name: `${label} failed · Retry` })).toBeVisible();
    }
    expect(scripted.requests.slice(before).map(({ url }) => url)).toEqual(["/far", "/near"]);
    expect(other.requests.filter(({ path }) => path.includes("forged"))).toEqual([]);
  });
  await test.step("a request without an answer is reported", async () => {
    scripted.answer = (_, response) => {
      response.destroy();
      return true;
    };
    watch.tolerate(/ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET/);
    await server.publish("unanswered", "text", {
      actions: [{ action: "http", label: "Try", url: `${scripted.url}/` }],
    });
    await subscribe(page, server, "unanswered");
    await message(page, "text").getByRole("button", { name: "Try" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Send" }).click();
    await expect(notice(page)).toContainText("Try: no answer from the address");
  });
});

test("an image on another host waits for a press, unless its topic is allowed", async ({ server, page, scripted }) => {
  await server.publish("notes", "a picture", { attach: `${scripted.url}/cat.png`, icon: `${scripted.url}/icon.png` });
  await subscribe(page, server, "notes");
  const shown = message(page, "a picture");
  await expect(shown.getByRole("link", { name: "cat.png" })).toHaveAttribute("href", `${scripted.url}/cat.png`);
  await expect(shown.getByRole("button", { name: `Load icon from ${scripted.host}` })).toBeVisible();
  expect(scripted.requests, "nothing is asked for unasked").toEqual([]);

  await shown.getByRole("button", { name: "Load image" }).click();
  await expect(shown.getByRole("img", { name: "cat.png" })).toBeVisible();
  await expect.poll(() => scripted.asked(/cat\.png/)).toBe(1);
  expect(scripted.asked(/icon\.png/)).toBe(0);
  expect(scripted.requests[0]?.headers).not.toHaveProperty("referer");
  await shown.getByRole("button", { name: `Load icon from ${scripted.host}` }).click();
  await expect.poll(() => scripted.asked(/icon\.png/)).toBe(1);

  await chooseInMenu(page, "Topic settings");
  await page.getByLabel("Load images without asking").check();
  // The screen is ahead of what is stored, and a reload ends the worker, also in the midst of that.
  await expect.poll(() => storedSetting(page, "allowedRemote")).toHaveLength(1);
  await page.reload();
  await expect(shown.getByRole("img", { name: "cat.png" })).toBeVisible();
  await expect(shown.getByRole("button", { name: "Load image" })).toHaveCount(0);
});

test("files on the message's own server, and the raw JSON of a message", async ({
  server,
  page,
  context,
  scripted,
  watch,
}) => {
  await test.step("files on the message's own server: an image loads without a press, a failure is reported, an expired one is no link", async () => {
    scripted.answer = ({ url }, response) => {
      if (!url.includes("broken")) return false;
      response.writeHead(404).end();
      return true;
    };
    watch.tolerate(/404/);
    const attach = (name: string) => ({ attachment: { name, url: `${scripted.url}/file/${name}`, type: "image/png" } });
    const expired = {
      name: "old.png",
      url: `${scripted.url}/file/old.png`,
      type: "image/png",
      size: 2048,
      expires: nowS() - 60,
    };
    scripted.polled = lines(
      messageEvent("notes", "a picture of yore", { attachment: expired }),
      messageEvent("notes", "whole", attach("whole.png")),
      messageEvent("notes", "in pieces", attach("broken.png")),
    );
    await subscribeToScripted(page, server.url, scripted, "notes");
    await expect(message(page, "whole").getByRole("img", { name: "whole.png" })).toBeVisible();
    await expect(message(page, "in pieces")).toContainText("can't be shown: it is missing or not an image");
    const shown = message(page, "a picture of yore");
    await expect(shown).toContainText("PNG · 2.05 kB · no longer on the server");
    await expect(shown.getByRole("link")).toHaveCount(0);
    await expect(shown.getByRole("button", { name: "Load image" })).toHaveCount(0);
    expect(scripted.asked(/old\.png/)).toBe(0);
  });
  await test.step("the raw JSON is a tab of the message, with unknown fields", async () => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const event = messageEvent("raw", "from the future", { mood: { colour: "teal", levels: [1, 2] }, title: "New" });
    scripted.polled = lines(event);
    await subscribeToScripted(page, server.url, scripted, "raw");
    await openMessage(page, "from the future");
    await page.getByRole("tab", { name: "Raw" }).click();
    expect(JSON.parse(await page.getByLabel("Raw JSON").innerText())).toEqual(event);
    await page.getByRole("button", { name: "Copy JSON" }).click();
    expect(JSON.parse(await page.evaluate(() => navigator.clipboard.readText()))).toEqual(event);
  });
});

test("beside the feed the address names the message: a reload keeps it, closing it frees the address", async ({
  server,
  page,
}) => {
  for (const title of ["First", "Second"]) await server.publish("notes", `${title} text`, { title });
  await subscribe(page, server, "notes");
  const own = page.getByRole("complementary", { name: "Message" });
  const steps = await page.evaluate(() => history.length);
  await message(page, "First text").getByText("First text").click();
  await expect(page).toHaveURL(/#\/notes\?id=\w+&at=\d+$/);
  const first = page.url();
  await page.keyboard.press("k");
  await expect(page).not.toHaveURL(first);
  await page.keyboard.press("j");
  await expect(page).toHaveURL(first);
  expect(await page.evaluate(() => history.length), "the message is one step of Back, whichever it is").toBe(steps + 1);
  await page.reload();
  await expect(own.getByRole("heading", { level: 2 })).toHaveText("First");
  await own.getByRole("button", { name: "Close" }).click();
  await expect(page).toHaveURL(`${server.url}#/notes`);
  await message(page, "First text").getByText("First text").click();
  await expect(page).toHaveURL(first);
  await page
    .getByRole("navigation")
    .getByRole("link", { name: /^notes/ })
    .click();
  await expect(own, "the address is the view").toHaveCount(0);
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test("previous and next, links and Back lead from a message's page", async ({ server, page }) => {
    await test.step("previous and next lead from a message's page to the others, and Back to the feed", async () => {
      for (let at = 1; at <= 3; at++) await server.publish("notes", `Copied ${at} GB`, { title: "Copied" });
      await server.publish("notes", "First text", { title: "First" });
      const second = await server.publish("notes", "Second text", { title: "Second" });
      await server.publish("notes", "Third text", { title: "Third" });
      await subscribe(page, server, "notes");
      const own = page.getByRole("main", { name: "Message" });
      const heading = own.getByRole("heading", { level: 1 });
      const others = page.getByRole("navigation", { name: "Other messages" });
      await message(page, "Third text").getByText("Third text").click();
      await expect(page.getByRole("heading", { level: 1 }), "it is the page's only heading of that level").toHaveText(
        "Third",
      );
      await expect(others.getByRole("button", { name: "Previous" })).toBeDisabled();
      await others.getByRole("button", { name: "Next" }).click();
      await expect(heading).toHaveText("Second");
      await others.getByRole("button", { name: "Next" }).click();
      await expect(heading).toHaveText("First");
      await others.getByRole("button", { name: "Next" }).click();
      await expect(heading).toHaveText("Copied");
      await expect(others.getByRole("button", { name: "Next" }), "its repeats are behind it").toBeDisabled();
      await others.getByRole("button", { name: "Previous" }).click();
      await others.getByRole("button", { name: "Previous" }).click();
      await expect(heading).toHaveText("Second");
      await expect(page).toHaveURL(`${server.url}#/notes?id=${second.id}&at=${String(second.time)}`);
      await page.reload();
      await expect(heading).toHaveText("Second");
      await expect(others.getByRole("button", { name: "Next" })).toBeEnabled();
      await page.goBack();
      await expect(own).toHaveCount(0);
      await expect(page).toHaveURL(`${server.url}#/notes`);
      await expect(page.getByRole("navigation").getByRole("link", { name: "Feed" })).toBeVisible();
    });
    await test.step("a link that is followed right after a message was left is not undone, and Back leads to the feed", async () => {
      await server.publish("links", "the text");
      await subscribe(page, server, "links");
      const heading = page.getByRole("heading", { level: 1 });
      const own = page.getByRole("main", { name: "Message" });
      for (let time = 0; time < 3; time++) {
        await message(page, "the text").getByText("the text").click();
        await expect(own).toBeVisible();
        // In one task, so that going back could only arrive after the link.
        await page.evaluate(() => {
          document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
          location.hash = "#/~starred";
        });
        await expect(heading).toHaveText("Starred");
        await expect(page).toHaveURL(`${server.url}#/~starred`);
        await page.goBack();
        await expect(heading).toHaveText("links");
        await expect(own).toHaveCount(0);
      }
      await message(page, "the text").getByText("the text").click();
      await own.getByRole("button", { name: "Back to the messages" }).click();
      await expect(own).toHaveCount(0);
      await page.goto(`${server.url}#/~urgent`);
      await expect(heading).toHaveText("Important");
      await page.goBack();
      await expect(heading, "one press, not two").toHaveText("links");
      await expect(own).toHaveCount(0);
    });
  });

  test("deleting or finishing a message on its own page leads back to its place in the feed", async ({
    server,
    page,
  }) => {
    const at = (n: number) => `message number-${String(n).padStart(2, "0")}`;
    for (let n = 0; n < 40; n++) await server.publish("notes", `${at(n)}\nmore of it`);
    await subscribe(page, server, "notes");
    const own = page.getByRole("main", { name: "Message" });
    /** The messages that are wholly on the screen, from top to bottom. */
    const inSight = () =>
      page
        .getByRole("article")
        .evaluateAll((rows) =>
          rows
            .filter((row) => row.getBoundingClientRect().top > 150 && row.getBoundingClientRect().bottom < 700)
            .map((row) => /message number-\d\d/.exec(row.textContent)?.[0] ?? ""),
        );
    await pointAtFeed(page);
    await page.mouse.wheel(0, 1500);
    await expect(message(page, at(39))).toHaveCount(0);
    const [first = "", second = "", third = "", fourth = ""] = await inSight();

    await message(page, second).getByText("more of it").click();
    await own.getByRole("button", { name: "Done", exact: true }).click();
    await expect(own).toHaveCount(0);
    await expect(message(page, third), "the one that took its place").toBeFocused();
    await expect.poll(inSight).toEqual(expect.arrayContaining([first, third, fourth]));
    await expect.poll(inSight).not.toContain(second);

    await page.keyboard.press("Enter");
    await expect(own.getByRole("heading", { level: 1 })).toBeFocused();
    await page.keyboard.press("#");
    await expect(own).toHaveCount(0);
    await expect(notice(page)).toContainText("Message deleted");
    await expect(message(page, fourth)).toBeFocused();
    await notice(page).getByRole("button", { name: "Undo" }).click();
    await expect(message(page, third)).toHaveCount(1);
    await expect(page).toHaveURL(`${server.url}#/notes`);
  });
});

test("Markdown", async ({ server, page }) => {
  await test.step("Markdown shows all that was written, and leads where plain text does", async () => {
    await server.publish("written", "[ERROR]: timeout", { title: "Definition", markdown: true });
    await server.publish(
      "written",
      "[map](geo:1,2) [host](github.com/a) [bad](javascript:alert(1)) 请看https://example.com/a，请",
      {
        title: "Links",
        markdown: true,
      },
    );
    const long = Array.from({ length: 60 }, (_, at) => `- line ${String(at + 1)} of [the docs][d]`).join("\n");
    await server.publish("written", `${long}\n\n[d]: https://example.com/docs`, { title: "Long", markdown: true });
    await subscribe(page, server, "written");
    await expect(await openMessage(page, "Definition")).toContainText("[ERROR]: timeout");
    const links = (await openMessage(page, "Links")).locator(".body");
    const hrefs = () => links.getByRole("link").evaluateAll((all) => all.map((link) => link.getAttribute("href")));
    await expect.poll(hrefs).toEqual(["geo:1,2", "https://github.com/a", "https://example.com/a"]);
    await expect(links).toContainText("bad (javascript:alert(1))");
    const opened = (await openMessage(page, "Long")).locator(".body");
    await expect(opened.getByRole("link").first()).toHaveAttribute("href", "https://example.com/docs");
    await expect(opened.getByText("line 60")).toBeAttached();
  });
  await test.step("each line, item, cell and quote has the direction of its own text", async () => {
    const side = (text: string) =>
      page.getByRole("article").evaluateAll((rows, wanted) => {
        const texts = document.createTreeWalker(rows.at(-1) ?? document.body, NodeFilter.SHOW_TEXT);
        for (let node = texts.nextNode(); node; node = texts.nextNode()) {
          const at = node.nodeValue?.indexOf(wanted) ?? -1;
          if (at < 0) continue;
          const range = document.createRange();
          range.setStart(node, at);
          range.setEnd(node, at + wanted.length);
          const box = range.getBoundingClientRect();
          const block = node.parentElement?.closest("p, li, td, th, blockquote, .text")?.getBoundingClientRect();
          if (!block) continue;
          return box.left - block.left < block.right - box.right ? "left" : "right";
        }
        return "none";
      }, text);
    await server.publish("directions", "one\nשלום\ntwo", { title: "Plain" });
    const marked =
      "three\nעולם\n\n- four\n- חמש\n\n> six\n\n> שבע\n\n# שמונה\n\n| a wide head |\n| - |\n| nine |\n| עשר |";
    await server.publish("directions", marked, { title: "Marked", markdown: true });
    await subscribe(page, server, "directions");
    await openMessage(page, "Plain");
    for (const text of ["one", "two"]) await expect.poll(() => side(text), text).toBe("left");
    await expect.poll(() => side("שלום")).toBe("right");
    await openMessage(page, "Marked");
    await expect(page.getByRole("cell")).toHaveCount(2);
    for (const text of ["three", "four", "six", "nine"]) await expect.poll(() => side(text), text).toBe("left");
    for (const text of ["עולם", "חמש", "שבע", "שמונה", "עשר"]) await expect.poll(() => side(text), text).toBe("right");
  });
  await test.step("a list, a quote and a table run as their text does, whatever is in them", async () => {
    const text = "- אחת\n\n- שתיים\n\n> - שלוש\n\n> > ארבע\n\n| ראש | x |\n| - | - |\n| y | z |\n\n- one\n  - חמש\n";
    await server.publish("blocks", text, { markdown: true });
    await subscribe(page, server, "blocks");
    await openMessage(page, "חמש");
    await expect(page.getByRole("cell")).toHaveCount(2);
    const directions = await page
      .locator(".markdown :is(li, blockquote, table)")
      .evaluateAll((all) => all.map((one) => `${one.localName} ${getComputedStyle(one).direction}`));
    expect(directions).toEqual([
      ...["li rtl", "li rtl", "blockquote rtl", "li rtl", "blockquote rtl", "blockquote rtl", "table rtl"],
      ...["li ltr", "li rtl"],
    ]);
  });
  await test.step("long, wide and deeply nested Markdown is shown whole, and stays on the screen", async () => {
    const wide = "x".repeat(3500);
    await server.publish("cut", `\`\`\`\n${wide}\n\`\`\`\n\nthe end`, { title: "Wide", markdown: true });
    const address = `https://example.com/${"a".repeat(1000)}`;
    const links = `[one](${address}) [two](${address}) [three](${address})`;
    await server.publish("cut", links, { title: "Addresses", markdown: true });
    await server.publish("cut", `${"- ".repeat(200)}deep\n\nthe end`, { title: "Deep", markdown: true });
    const paragraph = `${"word ".repeat(520)}[the docs](https://example.com/docs) tail`;
    await server.publish("cut", paragraph, { title: "Paragraph", markdown: true });
    await subscribe(page, server, "cut");
    await expect(await openMessage(page, "Wide")).toContainText("the end");
    const three = (await openMessage(page, "Addresses")).locator(".body");
    await expect(three.getByRole("link")).toHaveText(["one", "two", "three"]);
    const docs = (await openMessage(page, "Paragraph")).locator(".body");
    await expect(docs).toContainText("tail");
    await expect(docs.getByRole("link")).toHaveAttribute("href", "https://example.com/docs");
    const deep = await openMessage(page, "Deep");
    await expect(deep).toContainText("the end");
    const widthOfDeepest = async () => (await deep.locator("li").last().boundingBox())?.width ?? 0;
    await expect.poll(widthOfDeepest, "what is nested deeply stays on the screen").toBeGreaterThan(100);
  });
});
