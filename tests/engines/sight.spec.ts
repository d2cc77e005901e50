import { message, subscribe, test } from "./fixtures";

/** Runs in the page: words of a message through which its tools are seen. */
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
        // Something opaque between them hides the words, as it is to.
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
