import {
  button,
  dialog,
  DIALOG,
  field,
  heading,
  message,
  subscribe,
  test,
  VIEW,
  type Tab,
  type Target,
} from "./fixtures";

const CLOSE = button("Close", DIALOG);

/** Chooses an entry of the menu of the view. */
async function chooseInMenu(tab: Tab, entry: string): Promise<void> {
  await tab.press(button("More", VIEW));
  const item = (name: string): Target => ({ css: "[role=menuitem]", name });
  await tab.first({ css: "[role=menuitem]" });
  if ((await tab.seen(item(entry))).length > 0) return tab.press(item(entry));
  // What is seldom done with a topic is in its settings.
  await tab.press(item("Topic settings"));
  await tab.press(button(entry, DIALOG));
}

/** Chooses an entry of the menu of a message, which appears while the pointer is on the message. */
async function chooseForMessage(tab: Tab, of: Target, entry: string): Promise<void> {
  const { x, y, height } = await tab.first(of);
  await tab.window.pointAt({ x: x + 30, y: y + height / 2 });
  await tab.press(button("More", "article [role=group]"));
  await tab.press({ css: "[role=menuitem]", name: entry });
}

/** Runs in the page: the parts of the open dialog that are cut off though there is room for them. */
function cutOff(): string[] {
  const open = document.querySelector("dialog[open]");
  const body = open?.querySelector(".body");
  if (!open || !body) return ["no dialog"];
  const box = open.getBoundingClientRect();
  const found: string[] = [];
  if (box.left < 0 || box.top < 0 || box.right > innerWidth || box.bottom > innerHeight) found.push("off the screen");
  const most = parseFloat(getComputedStyle(open).maxHeight);
  if (body.scrollHeight > body.clientHeight + 1 && box.height < most - 2) {
    found.push(`${body.clientHeight} of ${body.scrollHeight} px, ${box.height} of ${most} used`);
  }
  return found;
}

/** Expects that the dialog of that name is open and shows all of its content. */
async function isWhole(tab: Tab, name: string): Promise<void> {
  await tab.shows(dialog(name));
  await tab.answers(cutOff, []);
}

for (const [size, width, height] of [
  ["a desktop", 1280, 800],
  ["a phone", 390, 780],
] as const) {
  test(`each dialog opens by pointer, holds what is in it, and closes, on ${size}`, async ({ server, tab }) => {
    await tab.window.resize(width, height);
    await server.publish("backups", "all copied", { title: "Backup done" });
    await subscribe(tab, server, "backups");
    await tab.shows(message("all copied"));
    const inMenu: Record<string, string> = {
      "Send a message": "Send to backups",
      "Topic settings": "Settings of backups",
      "Mute…": "Mute backups",
      "Move to group…": "Group of backups",
      "Server settings": `Settings of ${server.host}`,
      Connection: `Connection to ${server.host}`,
      "Jump to a date…": "Jump to a date",
    };
    for (const [entry, name] of Object.entries(inMenu)) {
      await test.step(name, async () => {
        await chooseInMenu(tab, entry);
        await isWhole(tab, name);
        await tab.press(CLOSE);
        await tab.shows({ css: DIALOG }, 0);
      });
    }
    for (const [entry, name] of Object.entries({ "Snooze…": "Snooze until" })) {
      await test.step(name, async () => {
        await chooseForMessage(tab, message("all copied"), entry);
        await isWhole(tab, name);
        await tab.press(CLOSE);
        await tab.shows({ css: DIALOG }, 0);
      });
    }
  });
}

test("a topic is added by pointer alone, and by keys alone; the focus goes back to where it was", async ({
  server,
  tab,
}) => {
  await subscribe(tab, server, "backups");
  const add = button("Add a topic", "nav");
  await tab.press(add);
  await isWhole(tab, "Add a topic");
  await tab.fill(field("Topic", DIALOG), "doors");
  await tab.press(button("Subscribe", DIALOG));
  await tab.shows(heading("doors"));

  for (let stop = 0; stop < 30 && !(await tab.seen(add)).some(({ isFocused }) => isFocused); stop++) {
    await tab.keys("Tab");
  }
  await tab.hasFocus(add);
  await tab.keys("Enter");
  await tab.hasFocus(field("Topic", DIALOG));
  await tab.keys("Escape");
  await tab.shows({ css: DIALOG }, 0);
  await tab.hasFocus(add);
  await tab.keys("Enter");
  await tab.hasFocus(field("Topic", DIALOG));
  await tab.window.type("windows");
  await tab.keys("Enter");
  await tab.shows(heading("windows"));
  await tab.shows({ css: DIALOG }, 0);
});

test("messages are walked through, opened and left by keys, and the keys go on where the focus is", async ({
  server,
  tab,
}) => {
  for (const name of ["third", "second", "first"]) await server.publish("backups", `the ${name}`);
  await subscribe(tab, server, "backups");
  await tab.shows({ css: "[role=feed] article" }, 3);
  await tab.keys("j", "j");
  await tab.hasFocus(message("the second"));
  await tab.keys("o");
  await tab.shows({ css: ".aside", text: "the second" });
  await tab.keys("Escape");
  await tab.shows({ css: ".aside" }, 0);
  await tab.hasFocus(message("the second"));
  await tab.keys("s");
  await tab.shows({ css: "article", text: "Starred" });
  await tab.keys("e");
  await tab.shows(message("the second"), 0);
  await tab.window.key("Control", "k");
  await tab.shows(dialog("Commands"));
  await tab.keys("Escape");
  await tab.keys("?");
  await isWhole(tab, "Keyboard shortcuts");
  await tab.keys("Escape");
  await tab.shows({ css: DIALOG }, 0);
});
