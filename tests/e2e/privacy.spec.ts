// What leaves the device: a tour of the app with credentials that must be found in no other place.
import { expect, subscribe, test } from "./fixtures";
import { chooseInMenu, expectLive, filterBox, message, notice } from "./on-screen";

test.use({ serviceWorkers: "allow" });

const CANARY = "canary-7Qx2";

test("on a whole tour requests go to the app's host and the named servers alone, and credentials stay with theirs", async ({
  server,
  page,
  context,
  startOther,
  watch,
}) => {
  test.slow();
  watch.tolerate(/status of 40[13]/);
  const lines: string[] = [];
  context.on("console", (line) => lines.push(line.text()));
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: server.url });
  const other = await startOther({
    access: { default: "deny-all", users: [{ name: "ada", password: CANARY, role: "admin", tokens: [] }] },
  });
  /** Texts that people may pass on or see. */
  const said: string[] = [];
  const look = async () => {
    said.push(page.url(), await page.title(), await page.locator("body").innerText(), await page.content());
  };
  const copied = async () => said.push(await page.evaluate(() => navigator.clipboard.readText()));

  await subscribe(page, server, "open");
  await page.goto(`${server.url}#/http:${other.host}/closed`);
  await page.getByRole("button", { name: "Subscribe" }).click();
  await page.getByLabel("Sign in").selectOption("User name and password");
  await page.getByLabel("User name", { exact: true }).fill("ada");
  await page.getByLabel("Password").fill(`${CANARY}-mistyped`);
  await page.getByRole("button", { name: "Subscribe" }).click();
  await expect(page.getByRole("alert").filter({ hasText: /rejected the password/ })).toBeVisible();
  await page.getByLabel("Password").fill(CANARY);
  await page.getByRole("button", { name: "Subscribe" }).click();
  await expectLive(page);
  await other.publish("closed", "for ada alone", {
    title: "Hello",
    priority: 5,
    icon: "https://tracker.invalid/icon.png",
    click: "https://tracker.invalid/click",
  });
  await expect(message(page, "for ada alone")).toHaveCount(1);
  await look();
  // What a proxy asks for is as secret as a password.
  await chooseInMenu(page, "Server settings");
  await page.locator("summary", { hasText: "Extra headers" }).click();
  await page.getByLabel("Extra headers").fill(`X-Proxy-Key: ${CANARY}-header`);
  await look();
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
  await expect(page.getByRole("dialog")).toBeHidden();
  await expectLive(page);
  await other.publish("closed", "by way of the proxy");
  await expect(message(page, "by way of the proxy")).toHaveCount(1);

  await chooseInMenu(page, "Connection");
  await look();
  await page.getByRole("button", { name: "Copy diagnostics" }).click();
  await expect(notice(page)).toContainText("Copied");
  await copied();
  await page.keyboard.press("Escape");
  await message(page, "for ada alone").click();
  await look();
  await page.keyboard.press("y");
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain("#/");
  await copied();
  await filterBox(page).fill("priority:urgent -tag:x");
  await filterBox(page).press("Enter");
  await page.getByRole("main").getByRole("button", { name: "Share" }).click();
  await look();
  await page.keyboard.press("Escape");
  const closed = `http:${other.host}/closed`;
  const views = ["", "~urgent", "~starred", "~topics", "~columns", "~settings", "~help/filters", `~raw/${closed}`];
  for (const view of [...views, `~wall/${closed}`, `~server/http:${other.host}`, "~done", "~open", "~nothing"]) {
    await page.goto(`${server.url}#/${view}`);
    await expect(page.getByRole("main")).toBeVisible();
    await look();
  }
  await page.goto(`${server.url}#/`);
  await page.reload();
  await expect(message(page, "for ada alone")).toHaveCount(1);
  said.push(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage })));

  const basic = Buffer.from(`ada:${CANARY}`).toString("base64");
  const places = {
    said,
    lines,
    addresses: watch.requested,
    log: server.requests.map((entry) => JSON.stringify(entry)),
  };
  for (const [place, texts] of Object.entries(places)) {
    expect(
      texts.filter((text) => text.includes(CANARY) || text.includes(basic)),
      place,
    ).toEqual([]);
  }
  const hosts = new Set(
    watch.requested.filter((address) => /^(?:http|ws)/.test(address)).map((address) => new URL(address).host),
  );
  expect([...hosts].sort()).toEqual([server.host, other.host].sort());
});
