import { frameStrings } from "./strings";
import { speakLanguage } from "./strings/language";

/** How soon an older version in an awake tab closes the database, ms. */
const CLOSES_WITHIN_MS = 1_000;

/**
 * Says which tab to close when an older version keeps the database open, perhaps in a frozen tab. It uses the browser's
 * language, because the chosen one can't be read yet.
 * @param opened resolves once the database is open
 */
export async function sayBlocked(opened: Promise<unknown>): Promise<void> {
  const waited = new Promise<"waited">((resolve) => setTimeout(() => resolve("waited"), CLOSES_WITHIN_MS));
  if ((await Promise.race([opened.catch(() => undefined), waited])) !== "waited") return;
  const spoken = await speakLanguage("auto", navigator.languages);
  const { blocked } = frameStrings.problems;
  const screen = document.createElement("main");
  Object.assign(screen, spoken);
  const [name, paragraph] = [document.createElement("h1"), document.createElement("p")];
  name.textContent = "Earshot";
  paragraph.role = "alert";
  paragraph.textContent = blocked;
  screen.append(name, paragraph);
  Object.assign(screen.style, { display: "grid", gap: "12px", padding: "16px" });
  document.querySelector("#app")?.prepend(screen);
  // The code that opens the app reports why it couldn't be opened.
  await opened.catch(() => undefined);
  screen.remove();
}
