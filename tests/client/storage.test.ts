import { beforeEach, expect, test, vi } from "vitest";
import { guardedReads, StorageTrouble } from "../../src/client/guarded-reads";
import { StoreFailure, type Reader } from "../../src/store";

const reader = {} as Reader;
let said: string[];
let trouble: StorageTrouble;

beforeEach(() => {
  said = [];
  trouble = new StorageTrouble(({ problem }) => void said.push(problem));
});

test("a read returns its result, and reports nothing", async () => {
  const read = guardedReads(
    () => reader,
    ({ text }) => void said.push(text),
  );
  expect(await read((own) => Promise.resolve(own === reader))).toEqual({ ok: true, value: true });
  expect(said).toEqual([]);
});

test("a database that ends during a read is reported before the read returns", async () => {
  const error = { kind: "unavailable", text: "closed" } as const;
  const read = guardedReads(
    () => reader,
    ({ text }) => void said.push(text),
  );
  expect(await read(() => Promise.reject(new StoreFailure(error)))).toEqual({ ok: false, error });
  expect(said).toEqual(["closed"]);
});

test("a store failure thrown by a second copy of its file is reported too", async () => {
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

test("a bug in a read is passed on", async () => {
  const read = guardedReads(
    () => reader,
    ({ text }) => void said.push(text),
  );
  await expect(read(() => Promise.reject(new TypeError("bug")))).rejects.toThrow("bug");
  expect(said).toEqual([]);
});

test("storage trouble of hubs comes and goes", () => {
  trouble.told({ kind: "storage", problem: "full" });
  expect(trouble.current?.problem).toBe("full");
  trouble.told({ kind: "storage", problem: "none" });
  expect(trouble.current).toBeUndefined();
  expect(said).toEqual(["full", "none"]);
});

test("the end of the page's own database is reported once, and no hub that writes again takes that back", () => {
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

test("the report that the database was deleted stays, whatever is reported afterwards", () => {
  trouble.ended("deleted");
  trouble.told({ kind: "storage", problem: "unreadable" });
  trouble.ended("unreadable");
  expect(said).toEqual(["deleted"]);
});

test("a newer version is the preferred reason, whoever reports it and whenever", () => {
  trouble.ended("unreadable");
  trouble.told({ kind: "storage", problem: "newer-version" });
  trouble.ended("unreadable");
  expect(said).toEqual(["unreadable", "newer-version"]);
});
