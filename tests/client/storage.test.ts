import { beforeEach, expect, test, vi } from "vitest";
import { guardedReads } from "../../src/client/guarded-reads";
import { StorageTrouble } from "../../src/client/storage-trouble";
import { StoreFailure, type Reader } from "../../src/store";

const reader = {} as Reader;
let said: string[];
let trouble: StorageTrouble;

beforeEach(() => {
  said = [];
  trouble = new StorageTrouble(({ problem }) => void said.push(problem));
});

test("a read answers what it read, and tells of nothing", async () => {
  const read = guardedReads(
    () => reader,
    ({ text }) => void said.push(text),
  );
  expect(await read((own) => Promise.resolve(own === reader))).toEqual({ ok: true, value: true });
  expect(said).toEqual([]);
});

test("a database that ended under a read is an answer, told before it", async () => {
  const error = { kind: "unavailable", text: "closed" } as const;
  const read = guardedReads(
    () => reader,
    ({ text }) => void said.push(text),
  );
  expect(await read(() => Promise.reject(new StoreFailure(error)))).toEqual({ ok: false, error });
  expect(said).toEqual(["closed"]);
});

test("a failure of the store that a second copy of its file threw is an answer too", async () => {
  const error = { kind: "unavailable", text: "closed" } as const;
  vi.resetModules();
  const copy = await import("../../src/store");
  expect(copy.StoreFailure).not.toBe(StoreFailure);
  const read = guardedReads(
    () => reader,
    ({ text }) => void said.push(text),
  );
  expect(await read(() => Promise.reject(new copy.StoreFailure(error)))).toEqual({ ok: false, error });
});

test("a bug in a read goes on to the top", async () => {
  const read = guardedReads(
    () => reader,
    ({ text }) => void said.push(text),
  );
  await expect(read(() => Promise.reject(new TypeError("bug")))).rejects.toThrow("bug");
  expect(said).toEqual([]);
});

test("what hubs say of the storage comes and goes", () => {
  trouble.told({ kind: "storage", problem: "full" });
  expect(trouble.current?.problem).toBe("full");
  trouble.told({ kind: "storage", problem: "none" });
  expect(trouble.current).toBeUndefined();
  expect(said).toEqual(["full", "none"]);
});

test("that the page's own database ended is said once, and no hub that writes again takes it back", () => {
  trouble.ended("unreadable", "closed");
  trouble.ended("unreadable", "closed");
  trouble.told({ kind: "storage", problem: "full" });
  trouble.told({ kind: "storage", problem: "none" });
  expect(said).toEqual(["unreadable"]);
  expect(trouble.current).toMatchObject({ problem: "unreadable", text: "closed" });
});

test("a full disk does not hide that the database ended", () => {
  trouble.told({ kind: "storage", problem: "full" });
  trouble.ended("unreadable");
  expect(said).toEqual(["full", "unreadable"]);
});

test("a newer version is the better reason, whoever tells it and whenever", () => {
  trouble.ended("unreadable");
  trouble.told({ kind: "storage", problem: "newer-version" });
  trouble.ended("unreadable");
  expect(said).toEqual(["unreadable", "newer-version"]);
});
