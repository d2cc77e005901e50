import { expect, test } from "vitest";
import { openWhen, type OpenWorker } from "../../src/client/open-worker";

function setUp() {
  const log: string[] = [];
  const open: OpenWorker = (kind, name) => {
    log.push(`open ${kind} ${name}`);
    return { kind, post: (message) => void log.push(`post ${String(message)}`), close: () => void log.push("close") };
  };
  let go: () => void = () => undefined;
  const openThen = openWhen(open, new Promise((resolve) => (go = resolve)));
  const line = openThen("shared", "hub", { message: () => undefined, failed: () => undefined });
  const start = async (): Promise<void> => {
    go();
    await Promise.resolve();
    await Promise.resolve();
  };
  return { line, log, start };
}

test("nothing is sent before the start, and then each posted message is sent once, in order", async () => {
  const { line, log, start } = setUp();
  expect(line.kind).toBe("shared");
  line.post("a");
  line.post("b");
  expect(log).toEqual([]);
  await start();
  line.post("c");
  expect(log).toEqual(["open shared hub", "post a", "post b", "post c"]);
  line.close();
  expect(log.at(-1)).toBe("close");
});

test("a connection that was closed before its start never starts", async () => {
  const { line, log, start } = setUp();
  line.post("a");
  line.close();
  await start();
  expect(log).toEqual([]);
});
