import { inflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { seedWelcome, WELCOME_TOPIC } from "../../src/server";
import { drawWelcomePicture } from "../../src/server/welcome";
import { start } from "./test-server";

describe("the welcome topic", () => {
  it("shows every priority, Markdown, a picture, buttons, a link, an update and a scheduled message", async () => {
    const server = await start();
    await seedWelcome(server.server);
    const messages = await server.poll(`${WELCOME_TOPIC}?scheduled=1`);
    const { nowS } = server.clock;
    expect(new Set(messages.map(({ priority = 3 }) => priority))).toEqual(new Set([1, 2, 3, 4, 5]));
    expect(messages.filter(({ content_type }) => content_type === "text/markdown")).toHaveLength(1);
    expect(messages.filter(({ sequence_id }) => sequence_id !== undefined)).toHaveLength(2);
    expect(messages.filter(({ time }) => time > nowS)).toHaveLength(1);
    expect(messages.flatMap(({ actions = [] }) => actions.map(({ action }) => action))).toEqual([
      "view",
      "http",
      "copy",
    ]);
    expect(messages.some(({ click }) => click !== undefined)).toBe(true);
    expect(messages.map(({ time }) => time)).toEqual([...new Set(messages.map(({ time }) => time))]);
    const attachment = messages.find((message) => message.attachment)?.attachment;
    expect(attachment?.type).toBe("image/png");
    const path = new URL(attachment?.url ?? "").pathname;
    expect((await server.ask(path)).body.equals(drawWelcomePicture())).toBe(true);
  });

  it("is filled once, and without the picture where attachments are off", async () => {
    const server = await start({ attachments: false });
    await seedWelcome(server.server);
    const before = await server.poll(`${WELCOME_TOPIC}?scheduled=1`);
    await seedWelcome(server.server);
    expect(await server.poll(`${WELCOME_TOPIC}?scheduled=1`)).toEqual(before);
    expect(before.some(({ attachment }) => attachment)).toBe(false);
  });
});

describe("its picture", () => {
  it("is a whole PNG of 480 by 270", () => {
    const png = drawWelcomePicture();
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([480, 270]);
    const length = png.readUInt32BE(33);
    expect(inflateSync(png.subarray(41, 41 + length))).toHaveLength(270 * (480 * 3 + 1));
    expect(png.subarray(-8, -4).toString("latin1")).toBe("IEND");
  });
});
