import type { renderMarkdown } from "./markdown";

let render = $state.raw<typeof renderMarkdown>();
let reading = false;

async function read(): Promise<void> {
  reading = true;
  try {
    render = (await import("./markdown")).renderMarkdown;
  } catch {
    // Offline before the code was ever kept: Markdown is shown as plain text until there is a network again.
    addEventListener("online", () => void read(), { once: true });
  }
}

/** What renders Markdown, or undefined until its code came; asking starts that. Once here, it is here at once. */
export function markdownRenderer(): typeof renderMarkdown | undefined {
  if (!reading) void read();
  return render;
}
