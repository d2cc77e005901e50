// In index.html itself (`src/build/page.ts`): what can't wait for the first script.
globalThis.earshotSnapshot = readScreen().catch(() => undefined); // If storage is denied, the app says so.
/** Resolves to what this view showed last; undefined without topics, where the page shows the screen of first visits. */
async function readScreen(): Promise<unknown> {
  const known = localStorage.getItem("earshot-topics") ?? localStorage.getItem("earshot-host");
  if (known === null) return document.addEventListener("readystatechange", showFirstScreen, { once: true });
  const opening = indexedDB.open("earshot");
  const ended = (request: IDBRequest) => new Promise((resolve) => (request.onsuccess = request.onerror = resolve));
  // There is no database yet, and it isn't created here.
  opening.onupgradeneeded = () => opening.transaction?.abort();
  await ended(opening);
  // Upgrading or deleting the database never waits for this page.
  opening.result.onversionchange = () => opening.result.close();
  const snapshots = opening.result.transaction("snapshots").objectStore("snapshots");
  const found = snapshots.get(location.hash || "#/");
  await ended(found);
  return found.result;
}
/** Shows users without topics the screen that the app will draw and take over (`src/ui/mount.ts`). */
function showFirstScreen(): void {
  const [plain, topic = ""] = /^(?:#\/?|#\/([-\w]{1,64}))?$/.exec(location.hash + location.search) ?? [];
  const shape = ["phone", "middle", "wide"][[40, 68.75].filter((em) => matchMedia(`(width > ${em}em)`).matches).length];
  const screen = document.querySelector<HTMLTemplateElement>(`#${topic ? "link" : "start"}-${String(shape)}`)?.content;
  const app = document.querySelector<HTMLElement>("#app");
  if (!app || !screen || plain === undefined) return;
  const server = document.querySelector<HTMLMetaElement>("[name=earshot-server]")?.content || location.origin;
  const texts = document.createTreeWalker(screen, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode() as Text | null; text; text = texts.nextNode() as Text | null) {
    text.data = text.data.replace("topic-of-the-link", topic).replace("https://server.invalid", server);
    text.data = text.data.replace("server.invalid", server.replace(/^\w+:\/\//, ""));
  }
  app.append(screen);
  app.onsubmit = (event) => event.preventDefault();
  app.onclick = ({ target }) => {
    app.querySelector("[aria-busy]")?.removeAttribute("aria-busy");
    (target as Element).closest("button")?.setAttribute("aria-busy", "true");
  };
}
const sayUnloaded = (event: Event): void => {
  if (!(event.target instanceof HTMLScriptElement)) return;
  const words = document.querySelector<HTMLElement>("#unloaded");
  // The script may fail before the page is parsed.
  if (!words) return addEventListener("DOMContentLoaded", () => sayUnloaded(event), { once: true });
  words.hidden = false;
  // A different address each time, because the cached copy may be broken (`src/ui/renew.ts`).
  words.onclick = () => void import(`./renew.js?${String(Date.now())}`).catch(() => location.reload());
};
addEventListener("error", sayUnloaded, true);
