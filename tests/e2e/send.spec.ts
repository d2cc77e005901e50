import { expectAccessible } from "./axe";
import { subscribe } from "./fixtures";
import { chooseInMenu, expectLive, message, notice } from "./on-screen";
import { expect, test } from "./scripted-server";

test("sending", async ({ server, page, scripted, startOther }) => {
  await test.step("a file is sent with its text", async () => {
    await subscribe(page, server, "backups");
    await expectLive(page);
    await chooseInMenu(page, "Send a message");
    const dialog = page.getByRole("dialog", { name: "Send to backups" });
    await dialog.getByLabel("Message", { exact: true }).fill("Zeile 1\nZeile 2 – ü");
    const name = "Bericht für März.md";
    await dialog
      .locator("input[type=file]")
      .setInputFiles({ name, mimeType: "text/markdown", buffer: Buffer.from("# x") });
    await expect(dialog.getByText(name)).toBeVisible();
    await expectAccessible(page);
    await dialog.getByRole("button", { name: `Without ${name}` }).click();
    await expect(dialog.getByText(name)).toHaveCount(0);
    await dialog
      .locator("input[type=file]")
      .setInputFiles({ name, mimeType: "text/markdown", buffer: Buffer.from("# x") });
    await dialog.getByRole("button", { name: "Send", exact: true }).click();
    await expect(dialog).toBeHidden();
    await expect(message(page, "Zeile 1")).toHaveCount(1);
    const [event] = (await (await fetch(`${server.url}backups/json?poll=1`)).text()).trim().split("\n");
    expect(JSON.parse(event ?? "")).toMatchObject({ message: "Zeile 1\nZeile 2 – ü", attachment: { name, size: 3 } });
  });
  await test.step("one press sets when a message is to come", async () => {
    await chooseInMenu(page, "Send a message");
    const dialog = page.getByRole("dialog", { name: "Send to backups" });
    await dialog.getByRole("button", { name: /^Tomorrow/ }).click();
    await expect(dialog.getByLabel("Deliver later")).toHaveValue("tomorrow 8:00");
    await expect(dialog.getByText(/8:00.* your time/)).toBeVisible();
    await dialog.getByRole("button", { name: "Send", exact: true }).click();
    await expect(notice(page)).toContainText(/Scheduled for tomorrow/);
    await page.getByRole("link", { name: "Scheduled" }).click();
    await expect(message(page, "It works")).toHaveCount(1);
  });
  await test.step("a file that the server doesn't accept is refused, with the reason, before it is sent", async () => {
    const small = await startOther({ attachments: { fileBytes: 10 } });
    await page.goto(`${server.url}#/http:${small.host}/backups`);
    await page.getByRole("button", { name: "Subscribe" }).click();
    await expectLive(page);
    await chooseInMenu(page, "Send a message");
    const dialog = page.getByRole("dialog", { name: "Send to backups" });
    const file = { name: "large.bin", mimeType: "", buffer: Buffer.alloc(11) };
    await dialog.locator("input[type=file]").setInputFiles(file);
    await expect(dialog.getByText(/at most 10 \S+ here/)).toBeVisible();
    const asked = () => small.requests.filter(({ path }) => path === "/v1/account").length;
    const before = asked();
    await fetch(`${small.url}backups`, { method: "PUT", body: "meanwhile" });
    await expect(message(page, "meanwhile")).toHaveCount(1);
    expect(asked(), "what comes meanwhile asks nothing").toBe(before);
    await dialog.getByRole("button", { name: "Send", exact: true }).click();
    await expect(dialog).toBeVisible();
    await page.keyboard.press("Escape");
    expect(small.requests.filter(({ method }) => method === "POST")).toEqual([]);
  });
  await test.step("a file that is being sent says so, and closing the dialog cancels it", async () => {
    let isCut = false;
    scripted.answer = ({ method }, response) => {
      response.on("close", () => (isCut ||= method === "POST"));
      return method === "POST";
    };
    await page.goto(`${server.url}#/http:${scripted.host}/backups`);
    await page.getByRole("button", { name: "Subscribe" }).click();
    await expectLive(page);
    await chooseInMenu(page, "Send a message");
    const dialog = page.getByRole("dialog", { name: "Send to backups" });
    const file = { name: "large.bin", mimeType: "", buffer: Buffer.alloc(2_000_000) };
    await dialog.locator("input[type=file]").setInputFiles(file);
    await dialog.getByRole("button", { name: "Send", exact: true }).click();
    await expect(dialog.getByRole("button", { name: "Sending 2 MB…" })).toBeVisible();
    await expect.poll(() => scripted.requests.some(({ method }) => method === "POST")).toBe(true);
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await expect(notice(page)).toContainText("Message not sent");
    await expect.poll(() => isCut).toBe(true);
    await expect(page.getByText("to send", { exact: false })).toHaveCount(0);
  });
});
