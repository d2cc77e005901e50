import { expect, subscribe, test } from "./fixtures";

test.describe("on a small disk", () => {
  // The kept copy of the app would take its part of the room.
  test.use({ serviceWorkers: "block" });

  test("a full disk is said in words; what arrives stays on screen, what is kept stays kept", async ({
    server,
    page,
    context,
  }) => {
    const session = await context.newCDPSession(page);
    const origin = new URL(server.url).origin;
    // From the start: the browser looks again at the room that is left only every half minute.
    await session.send("Storage.overrideQuotaForOrigin", { origin, quotaSize: 1_000_000 });
    await subscribe(page, server, "a");
    await server.publish("a", "kept before");
    await expect(page.getByText("kept before", { exact: true })).toHaveCount(1);
    for (let number = 0; number < 500; number++) await server.publish("a", `${number} ${"x".repeat(3_500)}`);
    await expect(page.getByText("The storage is full.").first()).toBeVisible();
    await server.publish("a", "shown but not kept");
    await expect(page.getByText("shown but not kept", { exact: true })).toHaveCount(1);
    await expect(page.getByText("Free space")).toBeVisible();

    // With room again, everything that the server still holds is stored, once.
    await session.send("Storage.overrideQuotaForOrigin", { origin });
    await page.reload();
    await expect(page.getByText("shown but not kept", { exact: true })).toHaveCount(1);
    await page.goto(`${server.url}#/a?q=kept`);
    for (const text of ["kept before", "shown but not kept"]) {
      await expect(page.getByText(text, { exact: true })).toHaveCount(1);
    }
  });
});

test("a database of a newer version is refused in words, and left as it is", async ({ server, page, watch }) => {
  // A bare answer of the server has no icon of its own, so the browser asks for one.
  watch.tolerate(/favicon\.ico/);
  // The same origin without the app, so that nothing has opened the database yet.
  await page.goto(`${server.url}v1/health`);
  await page.evaluate(
    () =>
      new Promise<void>((resolve, reject) => {
        const request = indexedDB.open("earshot", 1_000);
        request.onupgradeneeded = () => {
          request.result.createObjectStore("future").put("of a newer version", "kept");
        };
        request.onsuccess = () => {
          request.result.close();
          resolve();
        };
        request.onerror = () => reject(request.error ?? new Error("not opened"));
      }),
  );
  await page.goto(server.url);
  await expect(page.getByText(/written by a newer Earshot/).first()).toBeVisible();
  // It runs all the same, from memory.
  await subscribe(page, server, "a");
  await server.publish("a", "in memory");
  await expect(page.getByText("in memory", { exact: true })).toHaveCount(1);

  await page.goto(`${server.url}v1/health`);
  const kept = await page.evaluate(
    () =>
      new Promise<unknown>((resolve, reject) => {
        const request = indexedDB.open("earshot");
        request.onsuccess = () => {
          const read = request.result.transaction("future").objectStore("future").get("kept");
          read.onsuccess = () => resolve([request.result.version, read.result]);
          read.onerror = () => reject(read.error ?? new Error("not read"));
        };
        request.onerror = () => reject(request.error ?? new Error("not opened"));
      }),
  );
  expect(kept).toEqual([1_000, "of a newer version"]);
});
