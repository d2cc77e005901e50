import { button, DIALOG, expect, subscribe, test, VIEW, words } from "./fixtures";

test.describe("what an engine lacks has its words:", () => {
  test.use({ serverOptions: { webPush: { allowLoopback: true } } });

  test("pushes, and how the app is connected", async ({ server, tab }) => {
    await subscribe(tab, server, "backups");
    const has = await tab.window.run(() => ({
      push: "PushManager" in globalThis && "Notification" in globalThis,
      shared: "SharedWorker" in globalThis,
    }));
    await tab.press(button("More", VIEW));
    await tab.press({ css: "[role=menuitem]", name: "Topic settings" });
    await tab.press(button("Server settings", DIALOG));
    await tab.shows({ css: "h3", name: "With the app closed", within: DIALOG });
    const box = { css: "input[type=checkbox]", name: "Receive with the app closed" };
    await tab.shows(box, has.push ? 1 : 0);
    await tab.shows(words("This browser doesn't support push for web pages.", DIALOG), has.push ? 0 : 1);
    await tab.keys("Escape");
    await tab.goto(`${server.url}#/~settings/storage`);
    await tab.shows(
      words(has.shared ? "One connection for all tabs." : "One tab holds the connection for all.", "main"),
    );
    expect(tab.trouble).toEqual([]);
  });

  test.describe("shared workers", () => {
    test.use({ changes: { everywhere: () => void Reflect.deleteProperty(globalThis, "SharedWorker") } });

    test("the settings say that one tab holds the connection", async ({ server, tab }) => {
      await subscribe(tab, server, "backups");
      await tab.goto(`${server.url}#/~settings/storage`);
      await tab.shows(words("One tab holds the connection for all.", "main"));
    });
  });

  test.describe("push and badges", () => {
    test.use({
      changes: {
        everywhere: () => {
          Reflect.deleteProperty(globalThis, "PushManager");
          for (const name of ["setAppBadge", "clearAppBadge"])
            Reflect.deleteProperty(Object.getPrototypeOf(navigator) as object, name);
        },
      },
    });

    test("messages come all the same, and the server's settings say what is missing", async ({ server, tab }) => {
      await subscribe(tab, server, "backups");
      await server.curl("backups", "without any of them");
      await tab.shows(words("1 unread", "main"));
      await tab.press(button("More", VIEW));
      await tab.press({ css: "[role=menuitem]", name: "Topic settings" });
      await tab.press(button("Server settings", DIALOG));
      await tab.shows(words("This browser doesn't support push for web pages.", DIALOG));
    });
  });
});
