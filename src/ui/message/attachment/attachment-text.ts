import { type Attachment, toMs } from "../../../protocol";
import { attachmentStrings as said, bytes, inOneUnit } from "../../strings";
import { isGone } from "./attachment-kind";

/** Types that say less than the ending of the name. */
const VAGUE_TYPES: readonly string[] = ["octet-stream", "plain"];

/** A file's kind in a word: `JPEG`, `PDF`, `MP4`, else `File`. */
export function kindText({ type, name }: Attachment): string {
  const subtype = type?.split(";")[0]?.trim().split("/")[1];
  if (subtype !== undefined && !VAGUE_TYPES.includes(subtype)) {
    return subtype
      .replace(/^(?:x-|vnd\.)/, "")
      .replace(/\+.*/s, "")
      .slice(0, 24)
      .toUpperCase();
  }
  const ending = /\.([a-z0-9]{1,8})$/i.exec(name)?.[1];
  return ending?.toUpperCase() ?? said.file;
}

function expiryText(leftMs: number): string {
  const days = Math.floor(leftMs / 86_400_000);
  return days > 0 ? said.expiresInDays({ count: days }) : said.expiresIn({ left: inOneUnit(leftMs) });
}

/** An attachment in a line: kind, size, and when it will be gone. @param nowMs the server's clock */
export function attachmentText(attachment: Attachment, nowMs: number): string {
  const parts = [kindText(attachment)];
  if (attachment.size !== undefined) parts.push(bytes(attachment.size));
  if (isGone(attachment, nowMs)) parts.push(said.gone);
  else if (attachment.expires !== undefined) parts.push(expiryText(toMs(attachment.expires) - nowMs));
  return parts.join(" · ");
}
