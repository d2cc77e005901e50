import { absoluteUrl } from "../../../contract";
import { type Attachment, toMs } from "../../../protocol";
import { attachmentStrings as strings, bytes, inOneUnit } from "../../strings";

/** How an attachment is shown: in place, or any other file as a link. */
export type AttachmentKind = "image" | "audio" | "video" | "text" | "file";

/** Extensions by kind, for when the type is missing or says nothing. For images see docs/protocol.md §14. */
const ENDINGS: readonly (readonly [AttachmentKind, RegExp])[] = [
  ["image", /\.(?:png|jpe?g|gif|webp)$/i],
  ["audio", /\.(?:mp3|m4a|aac|oga|ogg|opus|wav|flac|weba)$/i],
  ["video", /\.(?:mp4|m4v|webm|ogv|mov|mkv)$/i],
  [
    "text",
    /\.(?:txt|text|log|out|err|csv|tsv|json|jsonl|ndjson|ya?ml|toml|ini|conf|cfg|env|properties|md|rst|xml|html?|css|[cm]?[jt]s|py|rb|go|rs|c|h|cpp|hpp|java|kt|php|lua|pl|sh|bash|zsh|fish|ps1|bat|sql|diff|patch|srt|vtt|ics|vcf|eml|service|rules|tf|nix|lock)$/i,
  ],
];

/** An SVG can load other files. As an image it couldn't, but it is shown as a file all the same. */
const TYPES: readonly (readonly [AttachmentKind, RegExp])[] = [
  ["image", /^image\/(?!svg)/i],
  ["audio", /^audio\/|^application\/ogg$/i],
  ["video", /^video\//i],
  ["text", /^text\/|^application\/(?:.+\+)?(?:json|xml|yaml|toml|sql|x-ndjson|x-yaml|x-sh|x-shellscript|javascript)$/i],
];

/** The type that says no more than "some bytes". */
const ANY_BYTES = "application/octet-stream";

/** How an attachment is shown: by type, else by the extension of its name or address (docs/protocol.md §14). */
export function kindOf({ type, name, url }: Attachment): AttachmentKind {
  const plain = type?.split(";")[0]?.trim().toLowerCase();
  if (plain !== undefined && plain !== ANY_BYTES) return TYPES.find(([, types]) => types.test(plain))?.[0] ?? "file";
  // The path alone: `?x=.png` is no extension.
  const names = [name, absoluteUrl(url)?.pathname ?? ""];
  return ENDINGS.find(([, ending]) => names.some((each) => ending.test(each)))?.[0] ?? "file";
}

export function isImage(attachment: Attachment): boolean {
  return kindOf(attachment) === "image";
}

/** Whether the server has deleted it. @param nowMs device clock */
export function isGone({ expires }: Attachment, nowMs: number): boolean {
  return expires !== undefined && toMs(expires) <= nowMs;
}

/** A file's kind in one word: `JPEG`, `PDF`, `MP4`, else `File`. */
export function kindText({ type, name }: Attachment): string {
  // Nobody says longer ones, such as `vnd.microsoft.portable-executable`, and plain text says less than the extension.
  const subtype = /^[^/]+\/(?:x-)?([a-z0-9]{1,8})(?:[+;\s]|$)/i.exec(type?.trim() ?? "")?.[1]?.toLowerCase();
  const ending = /\.([a-z0-9]{1,8})$/i.exec(name)?.[1];
  const word = subtype === undefined || subtype === "plain" ? ending : subtype;
  return word?.toUpperCase() ?? strings.file;
}

function expiryText(leftMs: number): string {
  const days = Math.floor(leftMs / 86_400_000);
  return days > 0 ? strings.expiresInDays({ count: days }) : strings.expiresIn({ left: inOneUnit(leftMs) });
}

/** An attachment in one line: kind, size, and when it expires. @param nowMs the server's clock */
export function attachmentText(attachment: Attachment, nowMs: number): string {
  const parts = [kindText(attachment)];
  if (attachment.size !== undefined) parts.push(bytes(attachment.size));
  if (isGone(attachment, nowMs)) parts.push(strings.gone);
  else if (attachment.expires !== undefined) parts.push(expiryText(toMs(attachment.expires) - nowMs));
  return parts.join(" · ");
}
