import type { MessageEvent, PollRequestEvent } from "../protocol";
import { isTopicName } from "../protocol";
import type { ActionDraft } from "./actions";
import { finishActions } from "./actions";
import { wholeBody } from "./body";
import { nowS } from "./clock";
import type { Core } from "./core";
import type { Draft } from "./draft";
import { publish } from "./publish";

/** A message published from inside the process. */
export interface LocalMessage extends Partial<
  Pick<Draft, "title" | "priority" | "tags" | "click" | "icon" | "attach">
> {
  topic: string;
  message?: string;
  actions?: ActionDraft[];
  markdown?: boolean;
  /** False = live only. */
  cache?: boolean;
  /** Unix seconds: a later time than now schedules the message; an earlier one backdates it. */
  time?: number;
  sequenceId?: string;
  /** A file to attach. */
  file?: { name: string; content: Buffer };
  /** Address of this server in links to the file, if not the one it listens at. */
  baseUrl?: string;
}

/** Publishes from inside the process, without access rules and without limits except those of files. */
export function publishLocally(
  core: Core,
  port: number,
  message: LocalMessage,
): Promise<MessageEvent | PollRequestEvent> {
  const {
    topic,
    file,
    actions,
    markdown = false,
    cache = true,
    time,
    sequenceId,
    message: text,
    baseUrl,
    ...plain
  } = message;
  if (!isTopicName(topic)) throw new Error(`no topic name: ${topic}`);
  core.topics.use([topic], nowS(core.clock));
  const body = wholeBody(file ? file.content : Buffer.from(text ?? ""), core.settings.limits.messageBytes);
  const draft: Draft = {
    ...plain,
    ...(actions ? { actions: finishActions(actions) } : {}),
    ...(file ? { filename: file.name } : {}),
    ...(file && text !== undefined ? { message: text } : {}),
    ...(sequenceId === undefined ? {} : { sequenceId }),
    ...(time === undefined ? {} : { deliverAt: time }),
    isMarkdown: markdown,
    isCached: cache,
    isUnifiedPush: false,
  };
  // Its own visitor, so that others using up their limits can't keep it from publishing.
  const visitor = core.visitors.byKey("the server itself");
  return publish(core, {
    ...{ topic, draft, body, visitor, announcedBytes: body.read.length },
    baseUrl: baseUrl ?? core.settings.baseUrl ?? `http://localhost:${port}`,
    isUnlimited: true,
  });
}
