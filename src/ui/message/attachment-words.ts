import type { Attachment } from "../../protocol";
import { words } from "../words";

/** Endings that are images where the type is not told (protocol, section 14). */
const IMAGE_ENDING = /\.(?:png|jpe?g|gif|webp)$/i;

/** SVG is a document that can load others; as an image it stays inert, but it is shown as a file all the same. */
const IMAGE_TYPE = /^image\/(?!svg)/i;

/** Path of an address, without query and fragment, so that `?x=.png` is no ending. */
function pathOf(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : "";
}

/** Whether an attachment is shown as an image: by its type, else by its ending (protocol, section 14). */
export function isImage({ type, name, url }: Attachment): boolean {
  if (type !== undefined) return IMAGE_TYPE.test(type);
  return IMAGE_ENDING.test(name) || IMAGE_ENDING.test(pathOf(url));
}

/** Whether the server has deleted it. @param nowMs device clock */
export function isGone({ expires }: Attachment, nowMs: number): boolean {
  return expires !== undefined && expires * 1000 <= nowMs;
}

/** Types that say less than the ending of the name. */
const VAGUE_TYPES: readonly string[] = ["octet-stream", "plain"];

/** Kind of a file in a word: `JPEG`, `PDF`, `MP4`, else `File`. */
export function kindWords({ type, name }: Attachment): string {
  const subtype = type?.split(";")[0]?.trim().split("/")[1];
  if (subtype !== undefined && !VAGUE_TYPES.includes(subtype)) {
    return subtype
      .replace(/^(?:x-|vnd\.)/, "")
      .replace(/\+.*$/, "")
      .slice(0, 24)
      .toUpperCase();
  }
  const ending = /\.([a-z0-9]{1,8})$/i.exec(name)?.[1];
  return ending?.toUpperCase() ?? words.feed.attachment.file;
}

/** What is known of an attachment in a line: kind, size, and when it will be gone. @param nowMs device clock */
export function attachmentWords(attachment: Attachment, nowMs: number): string {
  const { attachment: said } = words.feed;
  const parts = [kindWords(attachment)];
  if (attachment.size !== undefined) parts.push(said.size(attachment.size));
  if (isGone(attachment, nowMs)) parts.push(said.gone);
  else if (attachment.expires !== undefined) parts.push(said.expiresIn(attachment.expires * 1000 - nowMs));
  return parts.join(" · ");
}
