import { beforeEach, expect, test, vi } from "vitest";
import { MAX_FILE_BYTES } from "../../src/client";
import type { StoredMessage } from "../../src/contract";
import type { Attachment } from "../../src/protocol";
import { loadsOf } from "../../src/ui/message/attachment/loads.svelte";
import { originOf } from "../../src/ui/message/origin";
import { picturesOf } from "../../src/ui/message/attachment/pictures";
import { App } from "../../src/ui/state/app.svelte";
import { ADDRESS, catalogue, FakeClient, server, subscription } from "./fake-client";
import { row } from "./fake-reader";
import { stubPage } from "./stub-page";

let app: App;

beforeEach(() => {
  stubPage();
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: vi.fn() }));
  const client = new FakeClient(catalogue({ servers: [server()], subscriptions: [subscription()] }));
  app = new App(client, client.tables, ADDRESS);
  return () => vi.unstubAllGlobals();
});

function withFile(n: number, attachment: Attachment): StoredMessage {
  const plain = row(n);
  return { ...plain, event: { ...plain.event, attachment } };
}
const here = (n: number, more: Partial<Attachment> = {}) =>
  withFile(n, { name: `${String(n)}.png`, url: `${ADDRESS}/file/${String(n)}.png`, ...more });
const names = (rows: StoredMessage[]) => picturesOf(app, rows).map(({ name }) => name);

test("next and previous lead through the pictures shown, skipping those that wait for a press", () => {
  const elsewhere = withFile(3, { name: "3.png", url: "https://elsewhere.example/3.png" });
  const rows = [here(5), row(4), elsewhere, here(2, { name: "2.pdf", type: "application/pdf" }), here(1)];
  expect(names(rows)).toEqual(["5.png", "1.png"]);
  const origin = originOf(app.catalogue, 1);
  if (!origin) throw new Error("no such topic");
  loadsOf(app, origin, elsewhere.event.id).press("https://elsewhere.example/3.png");
  expect(names(rows), "once it was pressed").toEqual(["5.png", "3.png", "1.png"]);
});

test("a picture that its server has deleted, or that is too large to load unasked, is left out", () => {
  const large = here(6, { size: MAX_FILE_BYTES + 1 });
  expect(names([here(8, { expires: 1 }), here(7, { size: MAX_FILE_BYTES }), large])).toEqual(["7.png"]);
  const origin = originOf(app.catalogue, 1);
  if (!origin) throw new Error("no such topic");
  loadsOf(app, origin, large.event.id).press(`${ADDRESS}/file/6.png`);
  expect(names([large])).toEqual(["6.png"]);
});

test("a picture's name can't change the text direction", () => {
  expect(names([here(9, { name: "gnp\u202e.exe.png" })])).toEqual(["gnp.exe.png"]);
});
