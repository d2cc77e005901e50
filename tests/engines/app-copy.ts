import { cp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DIST } from "../e2e/fixtures";

/** Runs in the page before anything else: notes what goes wrong there. */
function noteTrouble(): void {
  const trouble: string[] = [];
  Object.assign(globalThis, { trouble });
  addEventListener(
    "error",
    ({ message, error }) => void trouble.push(String((error as Error | null)?.stack ?? message)),
  );
  addEventListener("unhandledrejection", ({ reason }: PromiseRejectionEvent) => {
    trouble.push(`rejected: ${String((reason as Error | null)?.message ?? reason)}`);
  });
  document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI, sample }) => {
    trouble.push(`policy: ${violatedDirective} ${blockedURI} ${sample}`);
  });
}

/** A browser that lacks something, or where it has to wait. */
export interface Changes {
  /** Runs before the app's code, in pages and in workers. */
  everywhere?: () => void;
  /** Files that are not there. */
  without?: RegExp;
  /** The app's script, which comes behind the first rows, waits until a test calls `startApp`. */
  holdsApp?: boolean;
}

/** The built app in a folder of its own, where pages note what goes wrong, and a browser lacks what a test takes away. */
export async function copyApp(folder: string, { everywhere, without, holdsApp = false }: Changes = {}): Promise<void> {
  const change = everywhere ? `(${everywhere.toString()})();\n` : "";
  await cp(DIST, folder, { recursive: true });
  const edit = async (name: string, how: (text: string) => string): Promise<void> => {
    const path = join(folder, name);
    await writeFile(path, how(await readFile(path, "utf8")));
    // The compressed forms are of what was there before.
    await Promise.all([rm(`${path}.br`, { force: true }), rm(`${path}.gz`, { force: true })]);
  };
  await writeFile(join(folder, "before-page.js"), `${change}(${noteTrouble.toString()})();\n`);
  await writeFile(join(folder, "before-worker.js"), change);
  await edit("index.html", (html) =>
    html.replace("<script>", '<script src="./before-page.js"></script>\n    <script>'),
  );
  for (const name of await readdir(join(folder, "assets"))) {
    const path = join("assets", name);
    if (/^worker-.*\.js$/.test(name)) await edit(path, (code) => `import "../before-worker.js";\n${code}`);
    if (holdsApp && /^index-.*\.js$/.test(name)) {
      const wait = "await new Promise((go) => (globalThis.startApp = go));\n";
      await edit(path, (code) => wait + code);
    }
  }
  for (const name of await readdir(folder)) if (without?.test(name)) await rm(join(folder, name), { force: true });
}
