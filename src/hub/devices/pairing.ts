// How a device joins: an invitation names a topic and a key for this once, on which both sides meet.
import type { Invitation, JoiningGroup } from "../../contract";
import { decodeBase64Url, encodeBase64Url, type Failure, ok, parseServerAddress, type Result } from "../../protocol";
import { guards, isJsonObject, type MessageEvent } from "../../protocol";
import type { Timer } from "../environment";
import type { CommandContext } from "../commands/context";
import { derive, digitsOf, encryptingKey, idOf, type Identity, TOPIC_BYTES, unwrapFor } from "./keys";
import { Listening, publishPacket } from "./listening";
import { open, type Packet, type Statement, seal } from "./packets";

/** Where a group is, as an invited device is told. */
export interface GroupPlace {
  address: string;
  topic: string;
  key: string;
  /** Credentials of servers, if its user chose to pass them on; not yet decoded. */
  signIns?: unknown;
}

type Ended = "refused" | "used" | "expired";

/** One side of a pairing, for as long as its invitation holds. */
abstract class Pairing {
  readonly #keys: Promise<{ topic: string; key: CryptoKey }>;
  #listening: Listening | undefined;
  #timer: Timer | undefined;
  protected readonly secret: Uint8Array<ArrayBuffer>;

  constructor(
    protected readonly context: CommandContext,
    readonly invitation: Invitation,
    protected readonly identity: Identity,
    /** When the invitation ends, device clock, ms. */
    public untilMs: number,
  ) {
    this.secret = decodeBase64Url(invitation.secret) ?? new Uint8Array();
    this.#keys = pairingKeys(this.secret);
  }

  stop(): void {
    this.#listening?.stop();
    this.context.environment.clearTimer(this.#timer);
  }

  protected async listen(): Promise<void> {
    const { topic, key } = await this.#keys;
    const { now, setTimer } = this.context.environment;
    this.#timer = setTimer(() => this.expire(), this.untilMs - now());
    let since: string | undefined;
    this.#listening = new Listening(this.context, {
      address: this.invitation.address,
      topic,
      since: () => (since === undefined ? { kind: "all" } : { kind: "id", id: since }),
      hear: async (events) => {
        for (const event of events) {
          since = event.id;
          const packet = await open(key, event.message);
          if (packet && packet.deviceId !== this.identity.deviceId) await this.hear(packet);
        }
      },
    });
  }

  async say(said: Statement): Promise<Result<MessageEvent, Failure>> {
    const { topic, key } = await this.#keys;
    const packet = { deviceId: this.identity.deviceId, counter: 0, heard: {}, said };
    const sealed = await seal(key, packet, this.context.environment.randomBytes(12));
    return publishPacket(this.context, { address: this.invitation.address, topic }, sealed.text);
  }

  protected abstract hear(packet: Packet): Promise<void>;
  protected abstract expire(): void;
}

async function pairingKeys(secret: Uint8Array<ArrayBuffer>): Promise<{ topic: string; key: CryptoKey }> {
  const topic = encodeBase64Url(await derive(secret, "pairing topic", TOPIC_BYTES));
  return { topic, key: await encryptingKey(secret, "pairing") };
}

/** A device that wants to join. */
export interface Joiner {
  deviceId: string;
  name: string;
  digits: string;
  publicKey: string;
}

/** An invitation of this device. */
export class Inviting extends Pairing {
  joiner: Joiner | undefined;

  /** @param changed another device asks to join, or the invitation has ended */
  constructor(
    context: CommandContext,
    invitation: Invitation,
    identity: Identity,
    untilMs: number,
    private readonly changed: (isOver: boolean) => void,
  ) {
    super(context, invitation, identity, untilMs);
    void this.listen();
  }

  protected async hear({ deviceId, said }: Packet): Promise<void> {
    if (said.kind !== "join" || this.joiner?.deviceId === deviceId) return;
    if ((await idOf(said.publicKey)) !== deviceId) return;
    if (this.joiner) {
      // Somebody else has the link too, so nobody can tell who is who.
      for (const to of [this.joiner.deviceId, deviceId]) await this.say(refusal(to, this.identity));
      this.expire();
      return;
    }
    const { name, publicKey } = said;
    this.joiner = { deviceId, name, publicKey, digits: await digitsOf(this.secret, deviceId) };
    this.changed(false);
  }

  protected expire(): void {
    this.stop();
    this.changed(true);
  }
}

export function refusal(to: string, { publicKey }: Identity): Statement & { kind: "welcome" } {
  return { kind: "welcome", to, from: publicKey };
}

/** This device's request to join. */
export class Joining extends Pairing {
  #digits = "";

  /** @param over let in, or why not */
  constructor(
    context: CommandContext,
    invitation: Invitation,
    identity: Identity,
    private readonly over: (end: GroupPlace | Ended) => void,
  ) {
    super(context, invitation, identity, invitation.untilMs);
  }

  get state(): JoiningGroup {
    return { digits: this.#digits, untilMs: this.untilMs };
  }

  /** Asks to be let in. */
  async ask(name: string): Promise<Result<Ended | null, Failure>> {
    this.#digits = await digitsOf(this.secret, this.identity.deviceId);
    const asked = await this.say({ kind: "join", name, publicKey: this.identity.publicKey });
    if (!asked.ok) return asked;
    // By the server's clock, because the two devices' may differ.
    const leftMs = this.invitation.untilMs - asked.value.time * 1_000;
    if (leftMs <= 0) return ok("expired");
    this.untilMs = this.context.environment.now() + leftMs;
    await this.listen();
    return ok(null);
  }

  protected async hear({ said }: Packet): Promise<void> {
    if (said.kind === "join") return this.#end("used");
    if (said.kind !== "welcome") return;
    if (said.to !== this.identity.deviceId) return this.#end("used");
    const place = said.group && (await unwrapFor(this.identity, said.from, said.group));
    this.#end(isPlace(place) ? place : "refused");
  }

  protected expire(): void {
    this.#end("expired");
  }

  #end(end: GroupPlace | Ended): void {
    this.stop();
    this.over(end);
  }
}

function isPlace(value: unknown): value is GroupPlace {
  if (!isJsonObject(value)) return false;
  const { address, topic, key } = value;
  return (
    guards.text(address) &&
    parseServerAddress(address).ok &&
    guards.text(topic) &&
    guards.text(key) &&
    decodeBase64Url(key)?.length === 32
  );
}
