import type { ServerOptions } from "../../src/server";
import { expectAccessible } from "./axe";
import { chooseInMenu, expectLive } from "./on-screen";
import { expect, forwardTo, test } from "./scripted-server";

const WITH_USERS: ServerOptions = {
  access: { users: [{ name: "ada", password: "s3cret", tokens: [] }], rules: [] },
};

const AUTHORIZATION = `Basic ${Buffer.from("ada:s3cret").toString("base64")}`;

test("topics of an account are offered after the sign-in, with their names", async ({
  server,
  page,
  startOther,
  watch,
}) => {
  watch.tolerate(/status of 40[0-9]/);
  const other = await startOther(WITH_USERS);
  await fetch(`${other.url}v1/account/subscription`, {
    ...{ method: "POST", headers: { Authorization: AUTHORIZATION } },
    body: JSON.stringify({ base_url: `http://${other.host}`, topic: "backups", display_name: "Nightly" }),
  });
  await page.goto(`${server.url}#/http:${other.host}/doors`);
  await page.getByRole("button", { name: "Subscribe" }).click();
  await expectLive(page);
  await chooseInMenu(page, "Server settings");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("User name", { exact: true }).fill("ada");
  await dialog.getByLabel("Password").fill("s3cret");
  await dialog.getByRole("button", { name: "Sign in", exact: true }).click();

  await expect(dialog).toHaveAccessibleName(`Topics of the account on ${other.host}`);
  await expect(dialog.getByRole("checkbox", { name: "backups" })).toBeChecked();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Subscribe to 1 topic" }).click();
  await expect(dialog).toContainText("Every topic that the account lists is here already.");
  const rail = page.getByRole("navigation");
  await expect(rail.getByRole("link", { name: "Nightly" }), "it has its name of the account").toBeAttached();
});

test("a server behind a proxy that asks for a header is added, heard and shown with it", async ({
  server,
  page,
  scripted,
  startOther,
}) => {
  const other = await startOther();
  const forward = forwardTo(other.host);
  scripted.answer = (asked, response) => {
    if (asked.headers["x-key"] === "abc") return forward(asked, response);
    response.writeHead(403, { "Content-Type": "text/html" }).end("<html>");
    return true;
  };
  await page.goto(server.url);
  await page.getByLabel("Topic", { exact: true }).fill("doors");
  await page.getByRole("button", { name: "Other server or sign-in" }).click();
  await page.getByLabel("Server", { exact: true }).fill(scripted.url);
  await page.locator("summary", { hasText: "Extra headers" }).click();
  await page.getByLabel("Extra headers").fill("Cookie: a=b");
  await page.getByRole("button", { name: "Subscribe" }).click();
  await expect(page.getByRole("alert")).toHaveText("Line 1 is not a header that a page may send.");
  expect(scripted.requests).toEqual([]);
  await page.getByLabel("Extra headers").fill("X-Key: abc");
  await page.getByRole("button", { name: "Subscribe" }).click();
  await expectLive(page);
  await other.publish("doors", "through the proxy");
  await expect(page.getByRole("article").filter({ hasText: "through the proxy" })).toHaveCount(1);
  await chooseInMenu(page, "Server settings");
  await expect(page.getByLabel("How messages are received")).toBeDisabled();
  await expectAccessible(page);
  expect(scripted.requests.filter(({ headers }) => headers["x-key"] !== "abc")).toEqual([]);
  expect(JSON.stringify(other.requests)).not.toContain("x-key=");
});
