import { element } from "./prerender/element";
import { deferredShell } from "./strings/en/deferred-shell";
import { FOLDERS, languageOf } from "./strings/language-of";

/** An older version in a tab that is awake closes the database within this, ms. */
const CLOSES_WITHIN_MS = 1_000;

/**
 * Says which tab to close, as an older version of the app keeps the database open, perhaps in a tab that the browser has
 * frozen. It speaks the browser's language, as the one that the user chose can't be read yet.
 * @param opened resolves once the database is open
 */
export async function sayBlocked(opened: Promise<unknown>): Promise<void> {
  const waited = new Promise<"waited">((resolve) => setTimeout(() => resolve("waited"), CLOSES_WITHIN_MS));
  if ((await Promise.race([opened.catch(() => undefined), waited])) !== "waited") return;
  const { language } = languageOf("auto", navigator.languages);
  // Offline and not cached yet: English is better than nothing.
  const catalogue = await FOLDERS[`./${language}/index.ts`]?.().catch(() => undefined);
  const blocked = catalogue?.deferredShell.problems?.blocked ?? deferredShell.problems.blocked;
  const screen = element(
    "main",
    "",
    { lang: catalogue ? language : "en", dir: catalogue?.direction ?? "ltr" },
    element("h1", "", {}, "Earshot"),
    element("p", "", { role: "alert" }, blocked),
  );
  Object.assign(screen.style, { display: "grid", gap: "12px", padding: "16px" });
  document.querySelector("#app")?.prepend(screen);
  // Whoever opens the app says why it could not be opened.
  await opened.catch(() => undefined);
  screen.remove();
}
