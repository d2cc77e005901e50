import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { seedWelcome, WELCOME_TOPIC } from "../../src/server";
import { newFolder, start } from "./test-server";

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
    const { body } = await server.ask(path);
    expect([body.readUInt32BE(16), body.readUInt32BE(20)]).toEqual([480, 270]);
  });

  it("is filled once, and without the picture where attachments are off", async () => {
    const server = await start({ attachments: false });
    await seedWelcome(server.server);
    const before = await server.poll(`${WELCOME_TOPIC}?scheduled=1`);
    await seedWelcome(server.server);
    expect(await server.poll(`${WELCOME_TOPIC}?scheduled=1`)).toEqual(before);
    expect(before.some(({ attachment }) => attachment)).toBe(false);
  });

  it("isn't filled again after a restart that comes when its messages have expired", async () => {
    const stateFile = join(await newFolder(), "state.ndjson");
    const first = await start({ stateFile });
    await seedWelcome(first.server);
    first.clock.advance(300);
    await first.server.close();
    first.clock.advance(2 * 86_400);
    const second = await start({ stateFile }, { clock: first.clock });
    await seedWelcome(second.server);
    expect(await second.poll(`${WELCOME_TOPIC}?scheduled=1`)).toEqual([]);
  });
});
