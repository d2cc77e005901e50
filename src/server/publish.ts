import { isUtf8 } from "node:buffer";
import {
  isTopicName,
  type Attachment,
  type MessageEvent,
  type PollRequestEvent,
  type SequenceEvent,
} from "../protocol";
import { finishActions, type ActionDraft } from "./actions";
import { wholeBody, type PeekedBody } from "./body";
import { nowS } from "./environment";
import type { Core } from "./core";
import { present, withoutNul, type Draft } from "./draft";
import { Refusal } from "./protocol-error";
import { sniffFile } from "./sniff";
import { ownText } from "./topics";
import type { Visitor } from "./visitors";

/** The text of an empty message (docs/protocol.md §6). */
const EMPTY_MESSAGE = "triggered";

/** Where a publication comes from and goes to. */
export interface Publication {
  topic: string;
  draft: Draft;
  body: PeekedBody;
  visitor: Visitor;
  /** Address of this server as the publisher wrote it, for links to attachments. */
  baseUrl: string;
  /** Bytes of the body; 0 = not announced. */
  announcedBytes: number;
}

type EventStamp = ReturnType<Core["stamp"]>;

/** The body of a publication: a text, bytes in base64, or a file. */
interface Content {
  message: string;
  encoding?: "base64";
  attachment?: Attachment;
}

function fileNotice(name: string): string {
  return `You received a file: ${name}`;
}

/** The last part of an address's path, as a file name. */
function nameInAddress(address: string): string {
  let part = "";
  try {
    // In Node 20, `URL.canParse` refuses letters such as ü once it is compiled.
    part = new URL(address).pathname.split("/").findLast((segment) => segment !== "") ?? "";
    return decodeURIComponent(part);
  } catch {
    // An invalid address has no name; undecodable escapes stay.
    return part;
  }
}

function textContent({ head }: PeekedBody, draft: Draft): Content {
  if (!isUtf8(head)) throw new Refusal(40011);
  const message = head.length > 0 ? withoutNul(head.toString("utf8")).trim() : (draft.message ?? "");
  if (draft.attach === undefined) return { message };
  const name = draft.filename || nameInAddress(draft.attach) || "attachment";
  return { message: message || fileNotice(name), attachment: { name, url: draft.attach } };
}

async function fileContent(
  core: Core,
  { draft, body, visitor, announcedBytes, baseUrl }: Publication,
  stamp: EventStamp,
): Promise<Content> {
  const { attachments } = core;
  if (!attachments) throw new Refusal(40014);
  const kept = nowS(core.host.clock) + Math.floor(attachments.settings.keep);
  // A file never outlives its message.
  const expires = draft.isCached ? Math.min(kept, expiry(core, stamp.time)) : kept;
  if (stamp.time > expires) throw new Refusal(40015);
  if (announcedBytes > Math.min(attachments.settings.fileBytes, attachments.leftFor(visitor.key)))
    throw new Refusal(41301);
  const { type, extension } = sniffFile(body.head, draft.filename);
  const name = ownText(draft.filename ?? `attachment${extension}`);
  const size = await attachments.write({ id: stamp.id, name, expires }, body, visitor);
  const url = `${baseUrl}/file/${stamp.id}${extension}`;
  return {
    message: draft.message ?? fileNotice(name),
    attachment: { name, type, ...(size > 0 ? { size } : {}), expires, url },
  };
}

/** Decides what the body is; the first matching rule wins (docs/protocol.md §13). */
function readContent(core: Core, publication: Publication, stamp: EventStamp): Content | Promise<Content> {
  const { draft, body } = publication;
  const { head } = body;
  if (draft.isUnifiedPush)
    return isUtf8(head) ? { message: head.toString("utf8") } : { message: head.toString("base64"), encoding: "base64" };
  const isText = draft.attach !== undefined || (draft.filename === undefined && body.isWhole && isUtf8(head));
  return isText ? textContent(body, draft) : fileContent(core, publication, stamp);
}

/** Unix seconds at which the server will delete a message. */
function expiry(core: Core, time: number): number {
  return time + Math.floor(core.settings.cache);
}

/**
 * Publishes a message (docs/protocol.md §13). Its time is that of the request, even when the upload takes long.
 * @returns the event as subscribers get it
 * @throws Refusal 40011, 40014, 40015, 41301
 */
export async function publish(core: Core, publication: Publication): Promise<MessageEvent | PollRequestEvent> {
  const { topic, draft, visitor } = publication;
  const { id, time: submitted } = core.stamp();
  if (draft.pollId !== undefined) {
    const event: PollRequestEvent = {
      ...{ id, time: submitted, event: "poll_request", topic },
      message: "New message",
      poll_id: draft.pollId,
    };
    core.deliver(event);
    core.published++;
    return event;
  }
  const time = draft.deliverAt ?? submitted;
  const { message, encoding, attachment } = await readContent(core, publication, { id, time });
  const { title, priority, tags, click, icon, actions } = draft;
  const event: MessageEvent = {
    ...{ id, time, ...(draft.isCached ? { expires: expiry(core, time) } : {}), event: "message", topic },
    ...present({ title }),
    message: message || EMPTY_MESSAGE,
    ...present({ priority, tags, click, icon, actions, attachment, encoding, sequence_id: draft.sequenceId }),
    ...(draft.isMarkdown ? { content_type: "text/markdown" } : {}),
  };
  core.accept(event, { cached: draft.isCached, sender: visitor.key });
  return event;
}

/** Deletes or clears a sequence (docs/protocol.md §17). */
export function publishSequenceEvent(
  core: Core,
  given: Pick<SequenceEvent, "event" | "topic" | "sequence_id">,
  visitor: Visitor,
): SequenceEvent {
  const { id, time } = core.stamp();
  const event: SequenceEvent = { id, time, expires: expiry(core, time), ...given };
  core.accept(event, { cached: true, sender: visitor.key });
  return event;
}

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
  const { topic, file, message: text, baseUrl } = message;
  if (!isTopicName(topic)) throw new Error(`no topic name: ${topic}`);
  core.topics.use([topic]);
  const body = wholeBody(file ? file.content : Buffer.from(text ?? ""), core.settings.limits.messageBytes);
  const { title, priority, tags, click, icon, attach, sequenceId, time: deliverAt } = message;
  const draft: Draft = {
    ...present({ title, priority, tags, click, icon, attach, sequenceId, deliverAt }),
    ...present({ actions: message.actions && finishActions(message.actions) }),
    ...(file && present({ filename: file.name, message: text })),
    isMarkdown: message.markdown ?? false,
    isCached: message.cache ?? true,
    isUnifiedPush: false,
  };
  // A visitor of its own, so that nobody else can use up its limits.
  const visitor = core.visitors.byKey("the server itself");
  return publish(core, {
    ...{ topic, draft, body, visitor, announcedBytes: body.read.length },
    baseUrl: baseUrl ?? core.settings.baseUrl ?? `http://localhost:${port}`,
  });
}
