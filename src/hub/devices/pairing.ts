// How a device joins: an invitation names a topic and a key for this once, on which both sides meet.
import type { Invitation } from "../../contract";
import {
  checkTopicName,
  decodeBase64Url,
  encodeBase64Url,
  type Failure,
  guards,
  type MessageEvent,
  type Result,
} from "../../protocol";
import type { CommandContext } from "../commands/context";
import type { Timer } from "../environment";
import { derive, encryptingKey, type Identity, IV_BYTES, KEY_BYTES, SECRET_BYTES, TOPIC_BYTES } from "./keys";
import { listenTo, publishPacket } from "./listening";
import { open, type Packet, seal, type Statement } from "./packets";

/** Where a group is at its server, as its devices are told. */
export interface GroupPlace {
  topic: string;
  key: string;
  /** Credentials of servers, if the user chose to pass them on; not yet decoded. */
  signIns?: unknown;
}

const isText = guards.fields({ topic: guards.text, key: guards.text });

export function isPlace(value: unknown): value is GroupPlace {
  return isText(value) && checkTopicName(value.topic).ok && decodeBase64Url(value.key)?.length === KEY_BYTES;
}

/** A device that wants to join. */
export interface Joiner {
  deviceId: string;
  name: string;
  digits: string;
  publicKey: string;
}

/** One side of a pairing, for as long as its invitation holds. */
export class Pairing {
  /** The device that asks the other side to be let in. */
  joiner: Joiner | undefined;
  /** When the invitation ends, device clock, ms. */
  untilMs = 0;
  readonly #keys: Promise<{ topic: string; key: CryptoKey }>;
  #listening: ReturnType<typeof listenTo> | undefined;
  #timer: Timer | undefined;
  #isOver = false;

  constructor(
    private readonly context: CommandContext,
    readonly invitation: Invitation,
    readonly identity: Identity,
  ) {
    this.#keys = keysOf(decodeBase64Url(invitation.secret) ?? new Uint8Array(SECRET_BYTES));
  }

  /** Whether this device invited the other. */
  get isHost(): boolean {
    return this.identity.publicKey === this.invitation.publicKey;
  }

  stop(): void {
    this.#isOver = true;
    this.#listening?.stop();
    this.context.environment.clearTimer(this.#timer);
  }

  /** @param expire called when the invitation ends, unless it was stopped */
  async listen(untilMs: number, hear: (packet: Packet) => Promise<void>, expire: () => void): Promise<void> {
    const { now, setTimer } = this.context.environment;
    this.untilMs = untilMs;
    this.#timer = setTimer(expire, untilMs - now());
    const { topic, key } = await this.#keys;
    if (this.#isOver) return;
    this.#listening = listenTo(this.context, {
      address: this.invitation.address,
      topic,
      hear: async (events) => {
        for (const event of events) {
          const packet = await open(key, event.message);
          if (packet && packet.deviceId !== this.identity.deviceId) await hear(packet);
        }
      },
    });
  }

  async say(said: Statement): Promise<Result<MessageEvent, Failure>> {
    const { topic, key } = await this.#keys;
    const packet = { deviceId: this.identity.deviceId, counter: 0, heard: {}, said };
    const { text } = await seal(key, packet, this.context.environment.randomBytes(IV_BYTES));
    return publishPacket(this.context, { address: this.invitation.address, topic }, text);
  }

  /** @param group encrypted for that device; absent = it isn't let in */
  answer(to: string, group?: string): Promise<Result<MessageEvent, Failure>> {
    return this.say({ kind: "welcome", to, ...(group && { group }) });
  }
}

async function keysOf(secret: Uint8Array<ArrayBuffer>): Promise<{ topic: string; key: CryptoKey }> {
  const topic = encodeBase64Url(await derive(secret, "pairing topic", TOPIC_BYTES));
  return { topic, key: await encryptingKey(secret, "pairing") };
}
