// How the app is set up, as a link: topics, groups, views and settings, without messages and without sign-ins.
import { BROUGHT_BY, EMPTY_CATALOGUE, splitTopic, type Catalogue, type Settings } from "../../client";
import { fail } from "../../protocol";
import { packed, unpacked } from "../state/packed-text";
import { writeBackup } from "./write-backup";

/** What such a link's payload begins with, behind `#/~open/`. */
export const SETUP = "setup:";

/** A longer link isn't read by the app, characters; those who send it shorten it earlier still. */
const MAX_LETTERS = 15_000;

/** More text than this, bytes, is refused: a small link could decompress into something huge. */
const MAX_BYTES = 1_000_000;

/** The link to how the app is set up here; undefined if it is too much for a link. */
export async function setupLink(tables: Catalogue, app: string, nowMs: number): Promise<string | undefined> {
  const texts: string[] = [];
  // What may delete or silence messages comes from no link; settings at their defaults need no room in a QR code.
  const changed = Object.entries(tables.settings).filter(
    ([name, value]) =>
      BROUGHT_BY.setting[name as keyof Settings] === "link-or-file" &&
      JSON.stringify(value) !== JSON.stringify(EMPTY_CATALOGUE.settings[name as "theme"]),
  );
  const settings = Object.fromEntries(changed) as unknown as Catalogue["settings"];
  await writeBackup(
    {
      tables: { ...tables, settings, subscriptions: tables.subscriptions.map((one) => splitTopic(one).plain) },
      read: () => Promise.resolve(fail({ kind: "failed", text: "" })),
    },
    { write: (text) => Promise.resolve(void texts.push(text)) },
    { scope: "setup", nowMs },
  );
  const link = `${app.replace(/[?#].*/s, "")}#/~open/${SETUP}${await packed(texts)}`;
  return link.length > MAX_LETTERS ? undefined : link;
}

/** The backup that a link holds; undefined if it is damaged: its checksum shows it. */
export async function setupOf(payload: string): Promise<Blob | undefined> {
  const text = await unpacked(payload, MAX_BYTES);
  return text && new Blob([text]);
}
