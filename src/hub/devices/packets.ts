// What devices of a group say to each other, each as the text of one message: JSON, deflated, encrypted, as base64url.
// Anybody may write to the topic, so nothing is trusted until it is decrypted, and its shape not even then.
import { cutStamp, decodeRegister, type Register } from "../../contract";
import { guards } from "../../protocol";
import type { GroupRecord } from "../../store";
import { type Bytes, sealed, unsealed } from "./keys";

/** By this tag other clients can leave them alone. */
export const PACKET_TAG = "earshot-devices";

/** The longest text, bytes: below the 4,096 of a message. */
export const MAX_PACKET_BYTES = 3_900;

const { as, count, fields, isJsonObject, list, maybe, number, only, stringMap, text } = guards;

const isCounter = as<number>((value) => count(value) && value < 2 ** 32);

const isChanges = fields({
  kind: only("changes"),
  /** None tell only how far others were heard. */
  registers: list(as<Register>(isJsonObject)),
  /** Something was missed since this server time, Unix seconds. */
  asks: maybe(number),
  /** Nothing more waits to be told, so that questions heard before are answered. */
  isLast: maybe(only(true)),
});
/** A device is removed (`out`), and the group moves: topic and key, encrypted for each that stays, by its id. */
const isMove = fields({ kind: only("moved"), from: text, out: text, to: stringMap });
/** Of an invitation: a device asks to join, with its public key. */
const isRequest = fields({ kind: only("join"), name: text, publicKey: text });
/** Of an invitation: the group, encrypted for the device that joined; without it, the device isn't let in. */
const isWelcome = fields({ kind: only("welcome"), to: text, group: maybe(text) });

export type Statement = guards.Checked<typeof isChanges | typeof isMove | typeof isRequest | typeof isWelcome>;
const isStatement = as<Statement>((value) => [isChanges, isMove, isRequest, isWelcome].some((is) => is(value)));

const isSender = fields({
  deviceId: as<string>((value) => text(value) && /^[\w-]{1,40}$/.test(value)),
  /** 1 for a device's first, one more for each. */
  counter: isCounter,
  /** How far each device has been heard: the counter of its newest packet, by the device's id. */
  heard: as<Record<string, number>>((value) => isJsonObject(value) && Object.values(value).every(isCounter)),
});

export type Packet = guards.Checked<typeof isSender> & { said: Statement };

/**
 * Writes a packet. Of its registers, those from the first that fit are in it, and the others are returned as `left`;
 * then it isn't the last.
 */
export async function seal(
  key: CryptoKey,
  { deviceId, counter, heard, said }: Packet,
  iv: Bytes,
): Promise<{ text: string; left: Register[] }> {
  const all = "registers" in said ? said.registers : [];
  for (let count = all.length; ;) {
    const part = count < all.length && { registers: all.slice(0, count), isLast: undefined };
    const text = await sealed(key, { deviceId, counter, heard, ...said, ...part }, iv);
    // One that is too large alone would hold up all others.
    if (text.length <= MAX_PACKET_BYTES || count === 0) return { text, left: all.slice(count === 0 ? 1 : count) };
    count = Math.min(count - 1, Math.floor((count * MAX_PACKET_BYTES * 0.98) / text.length));
  }
}

/** Reads a packet; undefined if it is none, is another group's, or was changed. */
export async function open(key: CryptoKey, text: string): Promise<Packet | undefined> {
  const json = text.length <= MAX_PACKET_BYTES && (await unsealed(key, text));
  if (!isSender(json)) return undefined;
  const { deviceId, counter, heard, ...said } = json;
  if (isChanges(said)) said.registers = said.registers.flatMap((one) => decodeRegister(one) ?? []);
  // A newer version may say more.
  return isStatement(said) ? { deviceId, counter, heard, said } : undefined;
}

/** What a packet tells. Of one that comes again, no stamp from the future, which would be set back to a later time. */
export function toldBy(
  { deviceId, counter, said }: Packet,
  { heard, ...own }: GroupRecord,
  toldAtMs: number,
): readonly Register[] {
  if (said.kind !== "changes") return [];
  const lastHeard = deviceId === own.deviceId ? own.counter : (heard?.[deviceId]?.counter ?? 0);
  const isNew = counter > lastHeard;
  return said.registers.filter(({ stamp }) => isNew || cutStamp(stamp, toldAtMs) === stamp);
}
