import { createHash } from "node:crypto";
import { cp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DIST } from "./fixtures";

/** The app's main file, which replaces the first rows. */
const APP = /^app-.*\.js$/;

/**
 * Puts another version of the app into its folder, as a new build does: all files have new names, the old ones are
 * removed, and the service worker has another list.
 * @param version part of the new names
 * @param change changes the code of the app's main file
 */
export async function deploy(folder: string, version: string, change = (code: string) => code): Promise<void> {
  await rm(folder, { recursive: true });
  await cp(DIST, folder, { recursive: true, filter: (path) => !/\.(br|gz)$/.test(path) });
  const assets = join(folder, "assets");
  const names = await readdir(assets);
  const renamed = new Map(names.map((name) => [name, name.replace(/(\.\w+)$/, `-${version}$1`)]));
  const anyName = new RegExp([...renamed.keys()].map((name) => name.replaceAll(".", "\\.")).join("|"), "g");
  const withNewNames = async (path: string): Promise<string> => {
    const text = await readFile(path, "utf8");
    return text.replace(anyName, (name) => renamed.get(name) ?? name);
  };
  for (const file of [...names.map((name) => join("assets", name)), "index.html", "sw.js"]) {
    const path = join(folder, file);
    await writeFile(path, await withNewNames(path));
  }
  for (const [before, after] of renamed) await rename(join(assets, before), join(assets, after));

  const build = (await readFile(join(folder, "build.txt"), "utf8")).trim();
  const page = join(folder, "index.html");
  const html = (await readFile(page, "utf8"))
    .replace(/<head>.*/, `<head><meta name="version" content="${version}" />`)
    .replace(build, `${build}-${version}`);
  await writeFile(page, html);
  const worker = join(folder, "sw.js");
  const revision = createHash("sha256").update(html).digest("hex").slice(0, 12);
  const list = (await readFile(worker, "utf8")).replaceAll(build, `${build}-${version}`);
  await writeFile(worker, list.replace(/(index\.html.{1,20}revision:.)[0-9a-f]{12}/, `$1${revision}`));
  await changeApp(folder, change);
  await renewIntegrity(folder);
}

/** Writes the hashes of the files as they are now into the service worker's list. */
export async function renewIntegrity(folder: string): Promise<void> {
  const worker = join(folder, "sw.js");
  let list = await readFile(worker, "utf8");
  for (const [entry, , url = "", before = ""] of list.matchAll(
    /url:(["'`])(assets\/[^"'`]+)\1[^{}]*?integrity:\1(sha256-[^"'`]+)/g,
  )) {
    const hash = createHash("sha256").update(await readFile(join(folder, url)));
    list = list.replace(entry, entry.replace(before, `sha256-${hash.digest("base64")}`));
  }
  await writeFile(worker, list);
}

/** Changes the app's main file in place. */
export async function changeApp(folder: string, change: (code: string) => string): Promise<void> {
  const assets = join(folder, "assets");
  const app = (await readdir(assets)).find((name) => APP.test(name));
  if (app === undefined) throw new Error("The build has no app.");
  const path = join(assets, app);
  for (const end of [".br", ".gz"]) await rm(path + end, { force: true });
  await writeFile(path, change(await readFile(path, "utf8")));
}
