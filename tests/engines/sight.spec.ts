import { dialog, expect, message, subscribe, test } from "./fixtures";

/** Runs in the page: texts of messages that show through the tools over them. */
function overprinted(): string[] {
  const tools = [...document.querySelectorAll("article [role=group] button")].filter((one) => one.checkVisibility());
  return [...document.querySelectorAll("article :is(time, h2, .body)")]
    .filter((words) => {
      const range = document.createRange();
      range.selectNodeContents(words);
      const text = range.getBoundingClientRect();
      return tools.some((tool) => {
        const box = tool.getBoundingClientRect();
        if (box.left >= text.right || box.right <= text.left || box.top >= text.bottom || box.bottom <= text.top) {
          return false;
        }
        // An opaque background between them hides the text, as intended.
        for (let at: Element | null = tool; at && at.localName !== "article"; at = at.parentElement) {
          const { backgroundColor } = getComputedStyle(at);
          if (!/transparent|, 0\)|\/ 0\)/.test(backgroundColor)) return words.localName !== "time";
        }
        return true;
      });
    })
    .map((words) => words.textContent ?? "");
}

test("the tools of a message are drawn over none of its words", async ({ server, tab }) => {
  await server.publish("backups", "all copied", { title: "Backup done" });
  await subscribe(tab, server, "backups");
  const { x, y, width, height } = await tab.first(message("all copied"));
  await tab.window.pointAt({ x: x + width / 2, y: y + height / 2 });
  await tab.first({ css: "article [role=group] button" });
  await tab.answers(overprinted, []);
});

/** Runs in the page: counts the points of its screenshot that have the highlight colour of the search, by element. */
async function foundPoints(picture: string): Promise<Record<string, number>> {
  const image = new Image();
  image.src = `data:image/png;base64,${picture}`;
  await image.decode();
  const canvas = new OffscreenCanvas(image.width, image.height);
  const context = canvas.getContext("2d");
  if (!context) throw new Error("no canvas");
  const probe = document.createElement("i");
  probe.style.color = "var(--found)";
  document.body.append(probe);
  context.fillStyle = getComputedStyle(probe).color;
  probe.remove();
  context.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data;
  context.drawImage(image, 0, 0);
  const scale = image.width / innerWidth;
  const pointsIn = (element: Element | null): number => {
    if (!element) return 0;
    const { x, y, width, height } = element.getBoundingClientRect();
    const { data } = context.getImageData(x * scale, y * scale, width * scale, height * scale);
    let count = 0;
    for (let at = 0; at < data.length; at += 4) {
      const off = [red, green, blue].map((value, part) => Math.abs(value - (data[at + part] ?? 0)));
      if (Math.max(...off) <= 3) count++;
    }
    return count;
  };
  return {
    title: pointsIn(document.querySelector("article h2")),
    text: pointsIn(document.querySelector("article .body")),
  };
}

test("words that a search found are marked, in the title as in the text", async ({ server, tab }) => {
  await server.publish("backups", "the disk of atlas is full", { title: "A disk has no room left" });
  await subscribe(tab, server, "backups");
  await tab.goto(`${server.url}#/backups?q=disk`);
  await tab.shows(message("the disk of atlas is full"));
  const points = async () => tab.window.run(foundPoints, (await tab.window.picture()).toString("base64"));
  // A word of four letters covers some 30 by 20 px, and its letters take the smaller part of that.
  await expect.poll(async () => Math.min(...Object.values(await points()))).toBeGreaterThan(200);
});

test("the columns of the list of keys begin at the same height", async ({ server, tab }) => {
  await subscribe(tab, server, "backups");
  await tab.keys("?");
  await tab.shows(dialog("Keyboard shortcuts"));
  const tops = await tab.window.run(() => {
    const highest: Record<number, number> = {};
    for (const section of document.querySelectorAll("dialog[open] section")) {
      const { x, y } = section.getBoundingClientRect();
      highest[x] = Math.min(y, highest[x] ?? Infinity);
    }
    return Object.values(highest);
  });
  expect(tops).toHaveLength(2);
  expect(new Set(tops)).toHaveProperty("size", 1);
});

/** Runs in the page: the darkest and the lightest point of its screenshot where a list has its arrow. */
async function arrowOf(picture: string): Promise<{ darkest: number; lightest: number }> {
  const image = new Image();
  image.src = `data:image/png;base64,${picture}`;
  await image.decode();
  const canvas = new OffscreenCanvas(image.width, image.height);
  const context = canvas.getContext("2d");
  const list = document.querySelector("select.control")?.getBoundingClientRect();
  if (!context || !list) throw new Error("no canvas or list");
  context.drawImage(image, 0, 0);
  const scale = image.width / innerWidth;
  const { right, y, height } = list;
  const { data } = context.getImageData((right - 32) * scale, (y + 4) * scale, 28 * scale, (height - 8) * scale);
  const greens = data.filter((_, at) => at % 4 === 1);
  return { darkest: Math.min(...greens), lightest: Math.max(...greens) };
}

test("a list to choose from has an arrow", async ({ server, tab }) => {
  await tab.goto(`${server.url}#/~settings`);
  await tab.first({ css: "select.control" });
  const contrast = async () => {
    const { darkest, lightest } = await tab.window.run(arrowOf, (await tab.window.picture()).toString("base64"));
    return lightest - darkest;
  };
  await expect.poll(contrast).toBeGreaterThan(60);
});
