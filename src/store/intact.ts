// What a record must be to leave the database. Another page of the origin, an extension, a bug or the disk may have
// damaged it, and readers rely on its type.
import { isJsonObject } from "../protocol";
import {
  COUNTERS,
  type EarshotSchema,
  type SegmentRecord,
  type SegmentTextRecord,
  SETTINGS,
  SHAPES,
  type SignatureRecord,
} from "./schema";
import { NOTHING } from "./tally";

type CheckedStore = keyof typeof SHAPES;
type Test = (value: unknown) => boolean;
type Fields = Record<string, unknown>;

/** A record of the search index is damaged: its messages must be read instead. */
export class DamagedIndex extends Error {
  override readonly name = "DamagedIndex";
}

/** Whether a value of the `settings` store is what its key promises. */
export function isIntactSetting(name: string, value: unknown): boolean {
  if (name === "counters")
    return isJsonObject(value) && Object.entries(COUNTERS).every(([at, test]) => test(value[at]));
  return !Object.hasOwn(SETTINGS, name) || SETTINGS[name as keyof typeof SETTINGS](value);
}

/** Replacements for damaged values that are recounted or relearnt. */
const IN_PLACE: Partial<Record<CheckedStore, Fields>> = { subscriptions: { accountId: 0, order: 0, ...NOTHING } };

/** A record without one of these would mean the opposite: deleted messages would come back. */
const TELLING: Partial<Record<CheckedStore, readonly string[]>> = {
  messages: ["deletedAtMs", "supersededBy", "scheduled"],
  subscriptions: ["removedAtMs", "purging"],
};

/** The index is read by place, so its parts must fit each other. */
const FITS: Partial<Record<CheckedStore, Test>> = {
  segments: (record) => {
    const { times, arrivals, subIds, facts, ids, idEnds } = record as SegmentRecord;
    return (
      [arrivals, subIds, facts, idEnds].every(({ length }) => length === times.length) &&
      (idEnds.at(-1) ?? 0) === ids.length
    );
  },
  segmentTexts: (record) => {
    const { text, ends } = record as SegmentTextRecord;
    return (ends.at(-1) ?? 0) === text.length;
  },
  signatures: (record) => {
    const { froms, tos, ends, bits } = record as SignatureRecord;
    return tos.length === froms.length && ends.length === froms.length && (ends.at(-1) ?? 0) === bits.length;
  },
};

/** A usable record: itself, or a copy without damaged optional fields; undefined if it is useless. */
export function intact<Name extends CheckedStore>(
  name: Name,
  record: unknown,
): EarshotSchema[Name]["value"] | undefined {
  const shape = SHAPES[name] as Readonly<Record<string, Test>>;
  if (!isJsonObject(record)) return undefined;
  let mended: Fields | undefined;
  for (const field in shape) {
    if (shape[field]?.(record[field])) continue;
    if (FITS[name]) throw new DamagedIndex();
    if (TELLING[name]?.includes(field)) return undefined;
    const { [field]: _, ...others } = mended ?? record;
    mended = { ...others, ...(IN_PLACE[name] && field in IN_PLACE[name] && { [field]: IN_PLACE[name][field] }) };
    if (!shape[field]?.(mended[field])) return undefined;
  }
  if (FITS[name]?.(record) === false) throw new DamagedIndex();
  return (mended ?? record) as EarshotSchema[Name]["value"];
}

/** Whether anything of a record is damaged. */
export function isDamaged(name: CheckedStore | "settings", at: unknown, record: unknown): boolean {
  if (name === "settings") return !isIntactSetting(String(at), record);
  try {
    return intact(name, record) !== record;
  } catch (thrown) {
    if (thrown instanceof DamagedIndex) return true;
    throw thrown;
  }
}
