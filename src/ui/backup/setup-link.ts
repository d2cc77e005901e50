// The set-up as a link: topics, groups, views and settings, without messages and sign-ins.
import { BROUGHT_BY, EMPTY_CATALOGUE, splitTopic, type Catalogue, type Settings } from "../../client";
import { packed, SETUP, unpacked } from "../state/packed-text";
import { backupPieces } from "./write-backup";

/** The app reads no longer link, characters; senders shorten earlier. */
const MAX_LETTERS = 15_000;

/** More text, bytes, is refused: a small link could decompress into something huge. */
const MAX_BYTES = 1_000_000;

/** The link to this device's set-up; undefined if it is too long. */
export async function setupLink(tables: Catalogue, app: string, nowMs: number): Promise<string | undefined> {
  const texts: string[] = [];
  // What may delete or silence messages isn't put into links; default settings would waste room in a QR code.
  const changed = Object.entries(tables.settings).filter(
    ([name, value]) =>
      BROUGHT_BY.setting[name as keyof Settings] === "link-or-file" &&
      JSON.stringify(value) !== JSON.stringify(EMPTY_CATALOGUE.settings[name as "theme"]),
  );
  const settings = Object.fromEntries(changed) as unknown as Catalogue["settings"];
  const own = { ...tables, settings, subscriptions: tables.subscriptions.map((one) => splitTopic(one).plain) };
  for await (const { text } of backupPieces(own, { scope: "setup", nowMs })) texts.push(text);
  const link = `${app.replace(/[?#].*/s, "")}#/~open/${SETUP}${await packed(texts)}`;
  return link.length > MAX_LETTERS ? undefined : link;
}

/** The backup in a link; undefined if its checksum shows damage. */
export async function setupOf(payload: string): Promise<Blob | undefined> {
  const text = await unpacked(payload, MAX_BYTES);
  return text && new Blob([text]);
}
