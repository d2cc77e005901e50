import { LIMITS, TestServer } from "../e2e/fixtures";
import {
  button,
  DIALOG,
  expect,
  keptOffline,
  message,
  storedMessages,
  subscribe,
  test,
  VIEW,
  type Tab,
} from "./fixtures";

test.use({ launch: { receivesPushes: true }, serverOptions: { webPush: { allowLoopback: true } } });

const RECEIVE = { css: "input[type=checkbox]", name: "Receive with the app closed" };

/** Turns on the pushes of the server that is shown. */
async function turnOn(tab: Tab): Promise<void> {
  await tab.press(button("More", VIEW));
  await tab.press({ css: "[role=menuitem]", name: "Topic settings" });
  await tab.press(button("Server settings", DIALOG));
  await tab.press(RECEIVE);
  await expect.poll(async () => (await tab.first(RECEIVE)).value, { timeout: 40_000 }).toBe("checked");
  await tab.keys("Escape");
  await tab.shows({ css: DIALOG }, 0);
}

/** The titles on screen, each with the scope of the registration that shows it. */
function onScreen(tab: Tab): Promise<string[]> {
  return tab.window.run(async () => {
    const registrations = await navigator.serviceWorker.getRegistrations();
    const shown = await Promise.all(
      registrations.map(async (registration) =>
        (await registration.getNotifications()).map(({ title }) => `${title} by ${registration.scope}`),
      ),
    );
    return shown.flat().sort();
  });
}

test("pushes of two servers come with the app closed, each by its own key, and each message once", async ({
  server,
  engine,
  tab,
  openTab,
}) => {
  const { pushService } = engine;
  if (!pushService) throw new Error("There is no push service.");
  const other = new TestServer({ limits: LIMITS, webPush: { allowLoopback: true } });
  await other.start();
  try {
    await subscribe(tab, server, "alerts");
    await keptOffline(tab);
    await turnOn(tab);
    await tab.goto(`${server.url}#/http:${other.host}/doors`);
    await tab.press(button("Subscribe", "main"));
    await tab.shows({ css: "h1", name: "doors" });
    await turnOn(tab);
    expect(new Set(pushService.keys.values()).size).toBe(2);
    await tab.close();

    await server.publish("alerts", "smoke in the kitchen", { title: "Smoke" });
    await expect.poll(() => pushService.delivered).toBe(1);
    await other.publish("doors", "the garage is open", { title: "Garage" });
    await expect.poll(() => pushService.delivered).toBe(2);
    // A page that is none of the app, to look at what the workers showed.
    const looker = await openTab();
    await looker.goto(`${server.url}icon.svg`);
    await expect.poll(() => onScreen(looker)).toHaveLength(2);
    const [garage = "", smoke = ""] = await onScreen(looker);
    expect([garage, smoke].map((line) => line.replace(/ by .*/, ""))).toEqual(["Garage · doors", "Smoke · alerts"]);
    const scopes = [garage, smoke].map((line) => line.replace(/.* by /, ""));
    expect(new Set(scopes).size, "each by the worker of its server").toBe(2);
    for (const scope of scopes) expect(scope).toMatch(/\/push\/\w+-1\/$/);
    expect(await storedMessages(looker)).toBe(2);

    await looker.goto(`${server.url}#/`);
    for (const text of ["smoke in the kitchen", "the garage is open"]) await looker.shows(message(text));
    expect(await storedMessages(looker)).toBe(2);
    expect(await onScreen(looker)).toEqual([garage, smoke]);
    // Read here, it goes from the screen, though another registration showed it.
    await looker.press(message("smoke in the kitchen"));
    await expect.poll(() => onScreen(looker)).toEqual([garage]);
  } finally {
    await other.stop();
  }
});
