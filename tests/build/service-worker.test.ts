import { createHash } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "vite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { listPrecached, serviceWorker } from "../../src/build";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "earshot-dist-"));
  await mkdir(join(folder, "assets"));
});
afterEach(() => rm(folder, { recursive: true }));

const put = (path: string, text = "x") => writeFile(join(folder, path), text);

describe("listPrecached", () => {
  it("keeps the page and all its scripts and styles", async () => {
    await Promise.all(
      ["index.html", "icon.svg", "manifest.webmanifest", "assets/a-1.js", "assets/a-1.css", "assets/worker-b-2.js"].map(
        (path) => put(path),
      ),
    );
    const urls = (await listPrecached(folder)).map(({ url }) => url);
    expect(urls).toEqual([
      "assets/a-1.css",
      "assets/a-1.js",
      "assets/worker-b-2.js",
      "icon.svg",
      "index.html",
      "manifest.webmanifest",
    ]);
  });

  it("begins with the files that the page names", async () => {
    await put("index.html", '<script src="./assets/hub-1.js"></script>');
    await Promise.all(["assets/a-1.js", "assets/hub-1.js", "assets/z-1.js"].map((path) => put(path)));
    const urls = (await listPrecached(folder)).map(({ url }) => url);
    expect(urls).toEqual(["assets/hub-1.js", "assets/a-1.js", "assets/z-1.js", "index.html"]);
  });

  it("leaves out itself, the name of the build, the page of a frame and the launcher's large icons", async () => {
    await Promise.all(
      ["sw.js", "push-sw.js", "build.txt", "server-key.html", "icon-512.png", "assets/a-1.js.map"].map((path) =>
        put(path),
      ),
    );
    expect(await listPrecached(folder)).toEqual([]);
  });

  it("leaves out files that are kept in another way", async () => {
    await Promise.all(["assets/a-1.js", "assets/de-1.js"].map((path) => put(path)));
    expect((await listPrecached(folder, ["assets/de-1.js"])).map(({ url }) => url)).toEqual(["assets/a-1.js"]);
  });

  it("gives a file with a constant name a revision that follows its content", async () => {
    await put("index.html", "one");
    const [one] = await listPrecached(folder);
    await put("index.html", "two");
    const [two] = await listPrecached(folder);
    expect(one?.revision).toMatch(/^[0-9a-f]{12}$/);
    expect(two?.revision).not.toBe(one?.revision);
  });

  it("uses the name of a hashed file as its revision, and lists the hash of its content", async () => {
    await put("assets/a-1.js");
    expect(await listPrecached(folder)).toEqual([
      {
        url: "assets/a-1.js",
        revision: null,
        integrity: `sha256-${createHash("sha256").update("x").digest("base64")}`,
      },
    ]);
  });
});

describe("serviceWorker", () => {
  it("leaves the error of a failed build as it is", async () => {
    await put("main.js", "const broken = ;");
    const failed = build({
      configFile: false,
      root: folder,
      logLevel: "silent",
      plugins: [serviceWorker("a build")],
      build: { rolldownOptions: { input: join(folder, "main.js") } },
    });
    await expect(failed).rejects.toThrow(/main\.js/);
  });
});
