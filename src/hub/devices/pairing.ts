// How a device joins: an invitation names a topic and a key for this once, on which both sides meet.
import type { DeviceGroup, Invitation } from "../../contract";
import { checkTopicName, decodeBase64Url, encodeBase64Url, guards, type ServerAddress } from "../../protocol";
import type { CommandContext } from "../commands/context";
import type { Environment, Timer } from "../environment";
import { bytesIn, derive, encryptingKey, type Identity, IV_BYTES, KEY_BYTES, TOPIC_BYTES } from "./keys";
import { listenTo, publishPacket } from "./listening";
import { open, type Packet, seal, type Statement } from "./packets";

const { as, fields, text } = guards;

/** Where a group is at its server, as its devices are told. */
export const isPlace = fields({
  topic: as<string>((value) => text(value) && checkTopicName(value).ok),
  key: as<string>((value) => text(value) && decodeBase64Url(value)?.length === KEY_BYTES),
  /** Credentials of servers, if the user chose to pass them on; not yet decoded. */
  signIns: as<unknown>(() => true),
});
export type GroupPlace = guards.Checked<typeof isPlace>;

/** A topic and a key that nobody knows yet. */
export function newPlace({ randomBytes }: Environment): GroupPlace {
  return { topic: encodeBase64Url(randomBytes(TOPIC_BYTES)), key: encodeBase64Url(randomBytes(KEY_BYTES)) };
}

/** A device that wants to join. */
type Joiner = NonNullable<DeviceGroup["joining"]> & { publicKey: string };

/** One side of a pairing, for as long as its invitation holds. */
export class Pairing {
  /** The device that asks the other side to be let in. */
  joiner: Joiner | undefined;
  /** When the invitation ends, device clock, ms. */
  untilMs = 0;
  #listening: ReturnType<typeof listenTo> | undefined;
  #timer: Timer | undefined;

  private constructor(
    private readonly context: CommandContext,
    readonly invitation: Invitation,
    readonly identity: Identity,
    private readonly place: { address: ServerAddress; topic: string; key: CryptoKey },
  ) {}

  static async of(context: CommandContext, invitation: Invitation, identity: Identity): Promise<Pairing> {
    const secret = bytesIn(invitation.secret);
    const topic = encodeBase64Url(await derive(secret, "pairing topic", TOPIC_BYTES));
    const { address } = invitation;
    const key = await encryptingKey(secret, "pairing");
    return new Pairing(context, invitation, identity, { address, topic, key });
  }

  /** Whether this device invited the other. */
  get isHost(): boolean {
    return this.identity.publicKey === this.invitation.publicKey;
  }

  stop(): void {
    this.#listening?.stop();
    this.context.environment.clearTimer(this.#timer);
  }

  /** @param expire called when the invitation ends, unless it was stopped */
  listen(hear: (packet: Packet) => Promise<void>, expire: () => void): void {
    const { now, setTimer } = this.context.environment;
    this.#timer = setTimer(expire, this.untilMs - now());
    this.#listening = listenTo(this.context, {
      ...this.place,
      hear: async (events) => {
        for (const event of events) {
          const packet = await open(this.place.key, event.message);
          if (packet && packet.deviceId !== this.identity.deviceId) await hear(packet);
        }
      },
    });
  }

  async say(said: Statement) {
    const packet = { deviceId: this.identity.deviceId, counter: 0, heard: {}, said };
    const { text } = await seal(this.place.key, packet, this.context.environment.randomBytes(IV_BYTES));
    return publishPacket(this.context, this.place, text);
  }
}
