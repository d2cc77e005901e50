import type { SequenceEvent } from "../../src/protocol";
import { expect, subscribe, test, type TestServer } from "./fixtures";
import { chooseInMenu, expectLive, message, notice, openMessage } from "./on-screen";

/** The sequences that a poll shows as cleared. */
async function cleared({ url }: TestServer): Promise<string[]> {
  const answer = await fetch(`${url}alarms/json?poll=1`);
  const events = (await answer.text()).split("\n").filter((line) => line !== "");
  return events
    .map((line) => JSON.parse(line) as SequenceEvent)
    .flatMap(({ event, sequence_id }) => (event === "message_clear" ? [sequence_id] : []));
}

test("what is read of a topic that only its user reads is read on another device too, and an undo is not told", async ({
  server,
  page,
  browser,
}) => {
  const first = await server.publish("alarms", "door open");
  await server.publish("alarms", "still unread");
  await server.publish("alarms", "read by mistake");
  await subscribe(page, server, "alarms");
  await expectLive(page);
  const other = await (await browser.newContext({ serviceWorkers: "block" })).newPage();
  await subscribe(other, server, "alarms");
  await expectLive(other);

  await chooseInMenu(page, "Topic settings");
  await page.getByLabel("Only I read this topic").check();
  await page.keyboard.press("Escape");
  await message(page, "read by mistake").hover();
  await message(page, "read by mistake").getByRole("button", { name: "Done" }).click();
  await notice(page).getByRole("button", { name: "Undo" }).click();
  await expect(message(page, "read by mistake")).toBeVisible();
  await openMessage(page, "door open");

  const unread = other.getByRole("feed").getByText("Unread", { exact: true });
  await expect(unread).toHaveCount(3);
  // Until then it could be undone.
  await expect(unread).toHaveCount(2, { timeout: 90_000 });
  await expect.poll(() => cleared(server), { timeout: 30_000 }).toEqual([first.id]);
  await other.context().close();
});
