import { beforeEach, expect, test, vi } from "vitest";
import type { Command, CommandId } from "../../src/ui/commands/command";
import { Keyboard, situationOf } from "../../src/ui/commands/keyboard";
import { COMMANDS } from "../../src/ui/commands/table";
import { keyNames, isSingle, strokeName, type Stroke } from "../../src/ui/commands/strokes";
import { palette } from "../../src/ui/palette/entries";
import type { LoadAddress, LoadSource } from "../../src/ui/state/load-source";
import { App } from "../../src/ui/state/app.svelte";
import type { KeyContext } from "../../src/ui/state/navigation/key-targets";
import { commandStrings } from "../../src/ui/strings";
import { ADDRESS, catalogue, FakeClient, server, subscription } from "./fake-client";
import { stubPage } from "./stub-page";

const NOTHING: Stroke = {
  key: "",
  code: "",
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  getModifierState: () => false,
};
const named = (part: Partial<Stroke>) => strokeName({ ...NOTHING, ...part });

test("keys of letters and signs are named by what they type, whichever modifiers that takes", () => {
  expect(named({ key: "j", code: "KeyJ" })).toBe("j");
  expect(named({ key: "J", code: "KeyJ", shiftKey: true })).toBe("Shift+j");
  expect(named({ key: "J", code: "KeyJ" }), "capitals locked").toBe("j");
  expect(named({ key: "?", code: "Minus", shiftKey: true })).toBe("?");
  expect(named({ key: "#", code: "Digit3", altKey: true }), "an Apple keyboard").toBe("#");
  expect(
    named({ key: "#", code: "Digit3", ctrlKey: true, altKey: true, getModifierState: () => true }),
    "Windows",
  ).toBe("#");
  expect(named({ key: "о", code: "KeyJ" }), "a Cyrillic keyboard").toBe("j");
  expect(named({ key: "ArrowDown", shiftKey: true })).toBe("Shift+ArrowDown");
});

test("keys with Ctrl or Command are keys of their own, and those of the system are ignored", () => {
  expect(named({ key: "k", code: "KeyK", ctrlKey: true })).toBe("Mod+k");
  expect(named({ key: "k", code: "KeyK", metaKey: true })).toBe("Mod+k");
  expect(named({ key: "j", code: "KeyJ", altKey: true })).toBeUndefined();
  expect(named({ key: "Shift", shiftKey: true })).toBeUndefined();
  expect(named({ key: "Dead" })).toBeUndefined();
});

test("single keys are letters and signs without modifiers, one or several, and capitals too", () => {
  for (const keys of ["j", "#", "g i", "Shift+a", "*"]) expect(isSingle(keys), keys).toBe(true);
  for (const keys of ["Mod+k", "Enter", "ArrowDown", "Shift+ArrowDown", "Escape"])
    expect(isSingle(keys), keys).toBe(false);
});

test("every command is in the table once, with its own name", () => {
  const ids = COMMANDS.map(({ id }) => id).sort();
  expect(ids).toEqual((Object.keys(commandStrings.names) as CommandId[]).sort());
});

test("no two commands of a place share a key, and no key is the beginning of another", () => {
  const keysOf = (commands: readonly Command[]) =>
    commands.flatMap(({ keys, messageKeys = [] }) => [...keys, ...messageKeys]);
  for (const place of new Set(COMMANDS.map(({ within }) => within))) {
    const own = keysOf(COMMANDS.filter(({ within }) => within === place));
    expect(new Set(own).size, place).toBe(own.length);
  }
  // Commands of a place come first, so that there they win over what the same key means elsewhere.
  const lastOfPlace = COMMANDS.findLastIndex(({ within }) => within !== undefined);
  expect(COMMANDS.findIndex(({ within }) => within === undefined)).toBe(lastOfPlace + 1);
  const keys = keysOf(COMMANDS);
  for (const one of keys) for (const other of keys) expect(other.startsWith(`${one} `), `${one}, ${other}`).toBe(false);
});

test("keys are shown stroke by stroke", () => {
  expect(keyNames("g i", false)).toEqual([["g"], ["i"]]);
  expect(keyNames("Shift+a", false)).toEqual([["Shift", "A"]]);
  expect(keyNames("Mod+k", false)).toEqual([["Ctrl", "K"]]);
  expect(keyNames("Mod+k", true)).toEqual([["⌘", "K"]]);
});

/** Implements just enough of an element: whether a selector matches it. */
class FakeElement {
  constructor(private is: string[] = ["body"]) {}
  closest(selector: string): FakeElement | null {
    return this.is.some((name) => selector.split(/[ ,:]+/).includes(name)) ? this : null;
  }
  matches(selector: string): boolean {
    return this.closest(selector) !== null;
  }
}

function keyEvent(
  key: string,
  more: Partial<Omit<KeyboardEvent, "target">> & { target?: FakeElement } = {},
): KeyboardEvent {
  let prevented = false;
  return {
    key,
    code: /^[a-z]$/i.test(key) ? `Key${key.toUpperCase()}` : "",
    ctrlKey: false,
    metaKey: false,
    altKey: false,
    shiftKey: false,
    isComposing: false,
    repeat: false,
    timeStamp: 0,
    target: new FakeElement(),
    getModifierState: () => false,
    get defaultPrevented() {
      return prevented;
    },
    preventDefault: () => (prevented = true),
    ...more,
  } as unknown as KeyboardEvent;
}

let client: FakeClient;
let app: App;
let keyboard: Keyboard;

beforeEach(() => {
  stubPage();
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: vi.fn() }));
  vi.stubGlobal("Element", FakeElement);
  // A dialog is on the screen as soon as it is asked for.
  vi.stubGlobal("document", { ...document, querySelector: () => new FakeElement(["dialog"]) });
  client = new FakeClient(
    catalogue({
      servers: [server()],
      subscriptions: [subscription(), subscription({ subId: 2, displayName: "Türen" })],
    }),
  );
  app = new App(client, client.tables, ADDRESS);
  keyboard = new Keyboard(app);
  return () => vi.unstubAllGlobals();
});

test("two keys in a row go to a view, unless the second comes late or has a meaning of its own", () => {
  keyboard.press(keyEvent("g"));
  keyboard.press(keyEvent("s", { timeStamp: 500 }));
  expect(app.navigation.view.kind).toBe("starred");
  keyboard.press(keyEvent("g"));
  keyboard.press(keyEvent("d", { timeStamp: 5_000 }));
  expect(app.navigation.view.kind).toBe("starred");
  keyboard.press(keyEvent("g"));
  keyboard.press(keyEvent("?", { timeStamp: 500, shiftKey: true }));
  expect(app.dialogs.current).toEqual({ kind: "keys" });
});

test("keys do nothing while the user types, composes or has a dialog open, except the dialog's own keys", () => {
  const inField = { target: new FakeElement(["textarea"]) };
  for (const event of [
    keyEvent("?", inField),
    keyEvent("?", { isComposing: true }),
    keyEvent("?", { altKey: true, ctrlKey: true }),
  ]) {
    keyboard.press(event);
    expect(event.defaultPrevented).toBe(false);
  }
  expect(app.dialogs.current).toBeUndefined();
  keyboard.press(keyEvent("k", { ...inField, ctrlKey: true }));
  expect(app.dialogs.current).toEqual({ kind: "commands" });
  keyboard.press(keyEvent("?"));
  expect(app.dialogs.current, "the dialog has the keyboard").toEqual({ kind: "commands" });
});

test("single keys can be turned off; the others go on", () => {
  app.catalogue.applyOptimistically({ settings: { ...app.catalogue.settings, singleKeys: false } });
  for (const key of ["?", "g", "s"]) keyboard.press(keyEvent(key));
  expect(app.dialogs.current).toBeUndefined();
  expect(app.navigation.view.kind).toBe("everything");
  keyboard.press(keyEvent("k", { metaKey: true }));
  expect(app.dialogs.current).toEqual({ kind: "commands" });
});

test("a key that is held down does not repeat its command", () => {
  const undone: number[] = [];
  app.notices.show({ text: "1", undo: () => undone.push(1) });
  app.notices.show({ text: "2", undo: () => undone.push(2) });
  keyboard.press(keyEvent("z"));
  keyboard.press(keyEvent("z", { repeat: true }));
  expect(undone).toEqual([2]);
  keyboard.press(keyEvent("z"));
  expect(undone).toEqual([2, 1]);
  const nothingLeft = keyEvent("z", { ctrlKey: true });
  keyboard.press(nothingLeft);
  expect(nothingLeft.defaultPrevented, "left to the browser").toBe(false);
});

test("keys of a place work only there, and win over what they mean elsewhere", () => {
  const done: string[] = [];
  const columns: KeyContext = {
    kind: "columns",
    step: (by) => done.push(`step ${by}`),
    move: (by) => done.push(`move ${by}`),
    add: () => done.push("add"),
  };
  const labels = () => palette(situationOf(app), [])("").map(({ label }) => label);
  expect(labels()).not.toContain("Add a column");
  const unheard = keyEvent("ArrowLeft");
  keyboard.press(unheard);
  expect(unheard.defaultPrevented, "left to the browser").toBe(false);
  const leaveColumns = app.keyTargets.addContext(columns);
  keyboard.press(keyEvent("ArrowLeft"));
  keyboard.press(keyEvent("ArrowRight", { shiftKey: true }));
  keyboard.press(keyEvent("ArrowRight", { target: new FakeElement(["textarea"]) }));
  app.selection.open([1, 1, "m1"]);
  keyboard.press(keyEvent("ArrowLeft"));
  app.selection.close();
  expect(done).toEqual(["step -1", "move 1"]);
  expect(labels()).toContain("Add a column");
  leaveColumns();

  const wall: KeyContext = { kind: "wall", leave: () => done.push("leave"), fill: () => done.push("fill") };
  app.keyTargets.addContext(wall);
  app.selection.select([1, 1, "m1"]);
  for (const key of ["Escape", "f"]) keyboard.press(keyEvent(key));
  expect(done.slice(2)).toEqual(["leave", "fill"]);
  expect(app.selection.key, "Escape means the wall").toBeDefined();
});

test("only an enlarged picture's own keys work while it is open", () => {
  const done: string[] = [];
  const picture: KeyContext = {
    kind: "picture",
    zoom: (by) => done.push(`zoom ${by}`),
    fit: () => done.push("fit"),
    look: (right, down) => done.push(`look ${right} ${down}`),
  };
  const source: LoadSource = { href: "https://a.example/a.png" as LoadAddress, by: "element" };
  app.dialogs.open({ kind: "image", source, name: "a", facts: "" });
  app.keyTargets.addContext(picture);
  for (const key of ["+", "=", "-", "0", "ArrowLeft", "ArrowDown", "?", "j"]) keyboard.press(keyEvent(key));
  keyboard.press(keyEvent("+", { ctrlKey: true }));
  expect(done).toEqual(["zoom 1", "zoom 1", "zoom -1", "fit", "look -1 0", "look 0 1"]);
  expect(app.dialogs.current?.kind).toBe("image");
  app.dialogs.open({ kind: "keys" });
  keyboard.press(keyEvent("+"));
  expect(done, "another dialog has the keyboard").toHaveLength(6);
});
