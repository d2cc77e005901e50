import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type * as LoadPart from "../../src/ui/load-part";

const FROM = "https://app.example/assets/app.js";

/** A link element as the loader makes one. */
class FakeLink {
  rel = "";
  href = "";
  onload?: () => void;
  onerror?: () => void;
  remove(): void {
    links.splice(links.indexOf(this), 1);
  }
}

let links: FakeLink[];
/** Imported anew for each test, as the module remembers loaded styles. */
let loadPart: typeof LoadPart.loadPart;

beforeEach(async () => {
  links = [];
  vi.stubGlobal("document", {
    styleSheets: [{ href: "https://app.example/assets/app.css" }],
    createElement: () => new FakeLink(),
    head: { append: (link: FakeLink) => void links.push(link) },
  });
  vi.resetModules();
  ({ loadPart } = await import("../../src/ui/load-part"));
});
afterEach(() => vi.unstubAllGlobals());

const part = () => Promise.resolve("part");
const told = () => links.map(({ rel, href }) => `${rel} ${href}`);

test("a part is loaded once its styles are, except for those that the page had already", async () => {
  let loaded: string | undefined;
  const loading = loadPart(part, ["./part.css", "./app.css"], FROM).then((value) => (loaded = value));
  expect(told()).toEqual(["stylesheet https://app.example/assets/part.css"]);
  await Promise.resolve();
  expect(loaded).toBeUndefined();
  links[0]?.onload?.();
  await loading;
  expect(loaded).toBe("part");
});

test("a loaded style is not requested again, and one that is loading is waited for", async () => {
  const first = loadPart(part, ["./part.css"], FROM);
  const second = loadPart(part, ["./part.css"], FROM);
  expect(links).toHaveLength(1);
  links[0]?.onload?.();
  expect(await Promise.all([first, second, loadPart(part, ["./part.css"], FROM)])).toEqual(["part", "part", "part"]);
  expect(links).toHaveLength(1);
});

test("if a style can't be loaded the part fails, and the next request tries again", async () => {
  const first = loadPart(part, ["./part.css"], FROM);
  links[0]?.onerror?.();
  await expect(first).rejects.toThrow("part.css");
  expect(links).toHaveLength(0);
  const second = loadPart(part, ["./part.css"], FROM);
  links[0]?.onload?.();
  expect(await second).toBe("part");
});

test("a part without styles needs no page, as in a worker", async () => {
  vi.stubGlobal("document", undefined);
  expect(await loadPart(part)).toBe("part");
});
