import { expect, subscribe, test } from "./fixtures";
import { expectAccessible } from "./axe";
import { chooseInMenu, expectLive } from "./on-screen";

test("a server moves to another address with all its messages, none twice, and old links lead on", async ({
  server,
  page,
  startOther,
  watch,
}) => {
  const other = await startOther();
  // The same machine by another name.
  const moved = `localhost:${other.port}`;
  watch.allow(moved);
  await other.publish("doors", "the front door");
  await page.goto(`${server.url}#/http:${other.host}/doors`);
  await page.getByRole("button", { name: "Subscribe" }).click();
  await expect(page.getByRole("article")).toHaveCount(1);
  await expectLive(page);
  await chooseInMenu(page, "Server settings");
  await page.getByRole("button", { name: "Move…" }).click();
  const dialog = page.getByRole("dialog");
  await expectAccessible(page);
  await dialog.getByLabel("New address").fill(`http://${other.host}`);
  await dialog.getByRole("button", { name: "Move", exact: true }).click();
  await expect(dialog).toContainText("This is the address that it has now.");
  await dialog.getByLabel("New address").fill(`http://ada:pw@${moved}`);
  await dialog.getByRole("button", { name: "Move", exact: true }).click();
  await expect(dialog).toContainText("Leave user and password out of the address");
  await dialog.getByLabel("New address").fill(`http://${moved}`);
  await dialog.getByRole("button", { name: "Move", exact: true }).click();
  await expect(dialog).toHaveCount(0);
  // The page's own link leads on.
  await expect(page).toHaveURL(`${server.url}#/http:${moved}/doors`);
  await expectLive(page);
  await other.publish("doors", "the back door");
  await expect(page.getByRole("article")).toHaveCount(2);
  await page.goto("about:blank");
  await page.goto(`${server.url}#/http:${other.host}/doors`);
  await expect(page).toHaveURL(`${server.url}#/http:${moved}/doors`);
  await expect(page.getByRole("article")).toHaveCount(2);
});

test("signing in to a server, and testing it", async ({ server, page, startOther, watch }) => {
  await test.step("a password is exchanged for a token and stored nowhere, and signing out removes the token at the server", async () => {
    watch.tolerate(/status of 40[13]/);
    const other = await startOther({
      access: {
        users: [{ name: "ada", password: "s3cret-word", tokens: [] }],
        rules: [
          { user: "*", topic: "vault", allow: "deny-all" },
          { user: "ada", topic: "vault", allow: "read-write" },
        ],
      },
    });
    await page.goto(`${server.url}#/http:${other.host}/vault`);
    await page.getByRole("button", { name: "Subscribe" }).click();
    await page.getByLabel("Sign in").selectOption("User name and password");
    await page.getByLabel("User name", { exact: true }).fill("ada");
    await page.getByLabel("Password").fill("s3cret-word");
    await page.getByRole("button", { name: "Subscribe" }).click();
    await expectLive(page);
    const tokens = async (): Promise<number> => {
      const headers = { Authorization: `Basic ${btoa("ada:s3cret-word")}` };
      const account = (await (await fetch(`http://${other.host}/v1/account`, { headers })).json()) as {
        tokens?: unknown[];
      };
      return account.tokens?.length ?? 0;
    };
    await expect.poll(tokens).toBe(1);
    const stored = await page.evaluate(async () => {
      const [{ name } = {}] = await indexedDB.databases();
      const opening = indexedDB.open(name ?? "");
      const database = await new Promise<IDBDatabase>((resolve) => (opening.onsuccess = () => resolve(opening.result)));
      const reading = database.transaction("accounts").objectStore("accounts").getAll();
      const accounts = await new Promise((resolve) => (reading.onsuccess = () => resolve(reading.result)));
      database.close();
      return JSON.stringify([accounts, { ...localStorage }]);
    });
    expect(stored).toContain('"user":"ada"');
    expect(stored).not.toContain("s3cret-word");
    await chooseInMenu(page, "Server settings");
    const dialog = page.getByRole("dialog");
    await expect(dialog).toContainText("Signed in as ada. A token is stored in place of the password");
    await dialog.getByRole("button", { name: "Sign out" }).click();
    await expect(dialog).toContainText("Not signed in");
    await expect.poll(tokens).toBe(0);
    await page.keyboard.press("Escape");
  });
  await test.step("a test of a server tells what is in order, and what is not", async () => {
    watch.tolerate(/ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_CONNECTION_RESET/);
    const other = await startOther({ cache: 0 });
    await page.goto(`${server.url}#/http:${other.host}/doors`);
    await page.getByRole("button", { name: "Subscribe" }).click();
    await expectLive(page);
    await chooseInMenu(page, "Connection");
    await page.getByRole("button", { name: "Test", exact: true }).click();
    const findings = page.getByRole("list", { name: "Test" }).getByRole("listitem");
    await expect(findings).toHaveText([
      /A topic server answers/,
      /read without a sign-in/,
      /A stream opens/,
      /keeps no messages/,
      /clocks .* agree/,
    ]);
    await expectAccessible(page);
    await other.stop();
    await page.getByRole("button", { name: "Test", exact: true }).click();
    await expect(findings).toHaveText([/no answer, and the browser doesn.t tell a page why/]);
    await expect(page.getByRole("link", { name: "Open in a tab" })).toHaveAttribute("href", `http://${other.host}`);
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
    await subscribe(page, server, "still-here");
  });
});
