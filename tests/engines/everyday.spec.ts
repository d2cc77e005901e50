import { button, DIALOG, field, heading, message, subscribe, test, VIEW } from "./fixtures";

test("a message is sent from the app, deleted, brought back, and found by a filter that is completed", async ({
  server,
  tab,
}) => {
  await server.publish("backups", "all copied", { tags: ["nightly"] });
  await subscribe(tab, server, "backups");
  await tab.shows(message("all copied"));
  await tab.press(button("Send a message", VIEW));
  await tab.fill(field("Message", DIALOG), "**sent** by hand");
  await tab.fill(field("Tags", DIALOG), "mail");
  await tab.press({ css: "label", name: "Format as Markdown", within: DIALOG });
  await tab.press(button("Send", DIALOG));
  await tab.shows({ css: DIALOG }, 0);
  await tab.shows(message("sent by hand"));

  await tab.keys("j");
  await tab.hasFocus(message("sent by hand"));
  await tab.keys("#");
  await tab.shows(message("sent by hand"), 0);
  await tab.press(button("Undo"));
  await tab.shows(message("sent by hand"));

  await tab.keys("/");
  await tab.window.type("tag:mai");
  await tab.shows({ css: "[role=option]", text: "mail" });
  await tab.keys("ArrowDown", "Enter");
  await tab.shows({ css: "[role=feed] article" }, 1);
  await tab.shows(message("sent by hand"));
  // If no filter on the way left out the selected message, the address still names it.
  await tab.answers(() => location.hash.split("&id=")[0], "#/backups?tags=mail");
});

test("a picture of the server's own is shown, and enlarged on a press", async ({ server, tab }) => {
  await subscribe(tab, server, "backups");
  const picture = await tab.window.picture();
  await fetch(`${server.url}backups`, {
    method: "PUT",
    body: new Uint8Array(picture),
    headers: { Filename: "disk.png", Message: "seen from here" },
  });
  await tab.shows(message("seen from here"));
  // A row of one line names its picture only.
  await tab.goto(`${server.url}#/~settings`);
  await tab.press({ css: "fieldset label", name: "Comfortable", within: "main" });
  await tab.goto(`${server.url}#/backups`);
  await tab.answers(
    () => [...document.querySelectorAll<HTMLImageElement>("article img")].map(({ naturalWidth }) => naturalWidth > 0),
    [true],
  );
  await tab.press({ css: "article button:has(img)" });
  await tab.shows({ css: `${DIALOG} img` });
  await tab.keys("Escape");
  await tab.shows({ css: DIALOG }, 0);
});

test("theme and language are chosen, and stay after a reload", async ({ server, tab }) => {
  await tab.goto(`${server.url}#/~settings`);
  await tab.press({ css: "fieldset label", name: "Dark", within: "main" });
  await tab.answers(() => getComputedStyle(document.documentElement).colorScheme, "dark");
  // A list that the system draws can't be pressed from here.
  await tab.window.run(() => {
    const list = [...document.querySelectorAll("select")].find(({ options }) =>
      [...options].some(({ value }) => value === "de"),
    );
    if (!list) throw new Error("there is no list of languages");
    list.value = "de";
    list.dispatchEvent(new Event("change", { bubbles: true }));
  });
  await tab.shows(heading("Einstellungen"));
  await tab.reload();
  await tab.shows(heading("Einstellungen"));
  await tab.answers(() => getComputedStyle(document.documentElement).colorScheme, "dark");
});

/** Runs in the page: chooses a backup of one topic with this many messages. */
function chooseBackup(address: string, count: number): void {
  const nowS = Math.floor(Date.now() / 1_000);
  const lines: object[] = [
    { kind: "header", format: "earshot-backup", version: 1, scope: "everything", madeAtMs: nowS * 1_000 },
    { kind: "server", address },
    { kind: "topic", server: address, topic: "brought" },
  ];
  for (let at = 0; at < count; at++) {
    const time = nowS - count + at;
    const event = { id: `m${at}`.padEnd(12, "x"), time, event: "message", topic: "brought", message: `message ${at}` };
    lines.push({ kind: "message", topic: 0, event, via: "poll", receivedAtMs: time * 1_000 });
  }
  lines.push({ kind: "end", messages: count, lines: lines.length + 1 });
  const chosen = new DataTransfer();
  chosen.items.add(new File([lines.map((line) => JSON.stringify(line) + "\n").join("")], "earshot.jsonl"));
  const input = document.querySelector<HTMLInputElement>("input[type=file]");
  if (!input) throw new Error("no field for a file");
  input.files = chosen.files;
  input.dispatchEvent(new Event("change", { bubbles: true }));
}

test("a backup of many messages is imported in one transaction", async ({ server, tab }) => {
  await subscribe(tab, server, "backups");
  await tab.goto(`${server.url}#/~settings/devices`);
  await tab.shows(button("Choose a backup"));
  await tab.window.run(chooseBackup, server.url.replace(/\/$/, ""), 4_000);
  await tab.shows(button("Import", "main"));
  await tab.window.run(() => {
    for (const one of document.querySelectorAll("main button"))
      if (one.textContent.trim() === "Import") one.scrollIntoView({ block: "center" });
  });
  await tab.press(button("Import", "main"));
  await tab.shows({ css: "nav a", text: "brought" });
  await tab.goto(`${server.url}#/brought`);
  await tab.shows(message("message 3999"));
});
