import { expect, it } from "vitest";
import { KeptLanguage } from "../../src/sw/kept-language";

/** A cache in memory, and the workers of several versions over it. */
function world() {
  const kept = new Map<string, string>();
  const loaded: string[] = [];
  let isOffline = false;
  const store = {
    match: (url: string) => Promise.resolve(kept.has(url) ? new Response(kept.get(url)) : undefined),
    put: async (url: string, answer: Response) => void kept.set(url, await answer.text()),
    keys: () => Promise.resolve([...kept.keys()].map((url) => ({ url }) as Request)),
    delete: (url: string) => Promise.resolve(kept.delete(url)),
  };
  return {
    loaded,
    files: () => [...kept.keys()].filter((url) => url !== "note").sort(),
    goOffline: () => (isOffline = true),
    version: (name: string) =>
      new KeptLanguage({
        files: { de: `de-${name}.js`, fr: `fr-${name}.js` },
        open: () => Promise.resolve(store as unknown as Cache),
        load(url) {
          if (isOffline) return Promise.reject(new TypeError("offline"));
          loaded.push(url);
          return Promise.resolve(new Response(`strings of ${url}`));
        },
        note: "note",
      }),
  };
}

it("keeps the file of the language in use, and fetches it once", async () => {
  const { version, files, loaded } = world();
  const worker = version("1");
  await worker.renew();
  expect(files(), "before the page has said what it speaks").toEqual([]);
  for (let start = 0; start < 3; start++) await worker.use("de");
  expect([files(), loaded]).toEqual([["de-1.js"], ["de-1.js"]]);
  expect(await (await worker.match("de-1.js"))?.text()).toBe("strings of de-1.js");
});

it("keeps no other language's file once another one is in use, and none for English", async () => {
  const { version, files } = world();
  const worker = version("1");
  await worker.use("de");
  await worker.use("fr");
  expect(files()).toEqual(["fr-1.js"]);
  for (const code of ["en", "constructor", "../de"]) {
    await worker.use("fr");
    await worker.use(code);
    expect(files(), code).toEqual([]);
  }
});

it("a new version has the language's new file before it takes over, beside the one that is still in use", async () => {
  const { version, files } = world();
  await version("1").use("de");
  const next = version("2");
  await next.renew();
  expect(files()).toEqual(["de-1.js", "de-2.js"]);
  await version("1").use("de");
  expect(files(), "when a page of the version in use starts").toEqual(["de-1.js", "de-2.js"]);
  await next.clean();
  expect(files()).toEqual(["de-2.js"]);
});

it("a version whose file can't be fetched fails, and the old file stays", async () => {
  const { version, files, goOffline } = world();
  await version("1").use("de");
  goOffline();
  await expect(version("2").renew()).rejects.toThrow("offline");
  await expect(version("1").use("fr")).rejects.toThrow("offline");
  expect(files()).toEqual(["de-1.js"]);
});

it("knows which addresses are files of languages", () => {
  const worker = world().version("1");
  expect([worker.isFile("de-1.js"), worker.isFile("de-2.js"), worker.isFile("note")]).toEqual([true, false, false]);
});
