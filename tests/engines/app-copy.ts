import { cp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { renewIntegrity } from "../e2e/deploy";
import { DIST } from "../e2e/fixtures";

/** Runs in the page before anything else: records errors. */
function noteTrouble(): void {
  const trouble: string[] = [];
  Object.assign(globalThis, { trouble });
  addEventListener("error", ({ message, error }) => {
    // A row may change while the sizes of others are reported: browsers say so, and report its own with the next frame.
    if (error === null && message.startsWith("ResizeObserver loop")) return;
    trouble.push(String((error as Error | null)?.stack ?? message));
  });
  addEventListener("unhandledrejection", ({ reason }: PromiseRejectionEvent) => {
    trouble.push(`rejected: ${String((reason as Error | null)?.message ?? reason)}`);
  });
  document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI, sample }) => {
    trouble.push(`policy: ${violatedDirective} ${blockedURI} ${sample}`);
  });
}

/** Runs in the page before anything else: the offers after the first subscription have tests of their own. */
function endFirstSteps(): void {
  try {
    localStorage.setItem("earshot-first-steps", "done");
  } catch (error) {
    // Some tests take the storage away.
    if (!(error instanceof DOMException)) throw error;
  }
}

/** Changes to the app and the browser: what is taken away, and what has to wait. */
export interface Changes {
  /** Runs before the app's code, in pages and in workers. */
  everywhere?: () => void;
  /** Files that the server doesn't have. */
  without?: RegExp;
  /** The app's script, which is loaded after the first rows, waits until a test calls `startApp`. */
  holdsApp?: boolean;
}

/** The list of the files that the service worker keeps begins with this. */
const KEPT = /(?=\{url:[`"'])/;

/**
 * Copies the built app into a folder of its own, where pages record errors, and the browser lacks what a test takes
 * away.
 */
export async function copyApp(folder: string, { everywhere, without, holdsApp = false }: Changes = {}): Promise<void> {
  await cp(DIST, folder, { recursive: true });
  const edit = async (name: string, how: (text: string) => string): Promise<void> => {
    const path = join(folder, name);
    const before = await readFile(path, "utf8");
    const after = how(before);
    if (after === before) throw new Error(`${name} is not as expected`);
    await writeFile(path, after);
    // The compressed files still have the old content.
    await Promise.all([rm(`${path}.br`, { force: true }), rm(`${path}.gz`, { force: true })]);
  };
  const add = async (name: string, code: string): Promise<void> => {
    await writeFile(join(folder, name), code);
    await edit("sw.js", (worker) => worker.replace(KEPT, `{url:"${name}",revision:"1"},`));
  };

  const change = everywhere ? `(${everywhere.toString()})();\n` : "";
  await add("before-page.js", `(${endFirstSteps.toString()})();\n${change}(${noteTrouble.toString()})();\n`);
  await edit("index.html", (html) =>
    html.replace("<script>", '<script src="./before-page.js"></script>\n    <script>'),
  );
  if (change) await add("before-worker.js", change);
  for (const name of await readdir(join(folder, "assets"))) {
    const path = join("assets", name);
    if (change && /^worker-.*\.js$/.test(name)) await edit(path, (code) => `import "../before-worker.js";\n${code}`);
    if (holdsApp && /^app-.*\.js$/.test(name)) {
      await edit(path, (code) => `await new Promise((go) => (globalThis.startApp = go));\n${code}`);
    }
  }
  await renewIntegrity(folder);
  for (const name of await readdir(folder)) if (without?.test(name)) await rm(join(folder, name));
}
