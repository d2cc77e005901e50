// The group of the user's devices that this one belongs to: how it starts, grows and ends, for pages.
import { formatInvitation, type GroupState, parseInvitation, SHARE_KINDS } from "../../contract";
import { encodeBase64Url, fail, ok } from "../../protocol";
import type { GroupRecord } from "../../store";
import { signInsToPassOn, takeSignIns } from "../commands/sign-in";
import { failed, shareMarks, unwrap, type CommandContext, type FeatureCommands } from "../commands/context";
import { digitsOf, idOf, IV_BYTES, makeIdentity, SECRET_BYTES, unwrapFor, wrap } from "./keys";
import { Member, ownRegister } from "./member";
import type { Packet } from "./packets";
import { type GroupPlace, isPlace, newPlace, Pairing } from "./pairing";
import type { CatalogueRules } from "./shared-catalogue";

/** How long an invitation holds, ms. */
const INVITED_FOR_MS = 600_000;

/** What pages may do with the group. */
export class Devices {
  readonly member: Member;
  /** The open invitation of this device, or its request to join by another's. */
  #pairing: Pairing | undefined;
  #isRefused = false;

  constructor(
    private readonly context: CommandContext,
    private readonly rules: CatalogueRules,
  ) {
    this.member = new Member(context, rules);
  }

  /** This hub may lead now, or no longer; or something may be to tell. */
  look(): void {
    if (!this.context.isLeading()) this.#pair(undefined);
    void this.member.look();
  }

  async #state(): Promise<GroupState> {
    const { joiner, untilMs, isHost } = this.#pairing ?? {};
    if (isHost === false) return { kind: "joining", digits: joiner?.digits ?? "", untilMs: untilMs ?? 0 };
    const group = unwrap(await this.context.environment.store.group());
    if (!group) return this.#isRefused ? { kind: "ended", why: "refused" } : { kind: "alone" };
    if (group.ended) return { kind: "ended", why: group.ended };
    return {
      ...(await this.member.state(group)),
      ...(untilMs !== undefined && { invitedUntilMs: untilMs }),
      ...(joiner && { joining: { deviceId: joiner.deviceId, name: joiner.name, digits: joiner.digits } }),
    };
  }

  /** Ends the pairing that is open, and begins another. @param isRefused joining has come to nothing */
  #pair(pairing: Pairing | undefined, isRefused = false): void {
    this.#pairing?.stop();
    this.#pairing = pairing;
    this.#isRefused = isRefused;
    this.member.changed();
    pairing?.listen(
      (packet) => (pairing.isHost ? this.#hearJoiner(pairing, packet) : this.#hearHost(pairing, packet)),
      () => this.#pair(undefined, !pairing.isHost),
    );
  }

  /** Makes this device, which has left any earlier group, a member. */
  async #enter(group: Omit<GroupRecord, "counter" | "shares">): Promise<void> {
    const { store, now } = this.context.environment;
    // First, as a look that this causes would begin with the group before it is ready to ask.
    await this.context.catalogueChanged();
    unwrap(await store.setGroup({ ...group, shares: [...SHARE_KINDS], counter: 0, snapshotAtMs: now() }));
  }

  /** Another device asks to join by this one's invitation. */
  async #hearJoiner(inviting: Pairing, { deviceId, said }: Packet): Promise<void> {
    const { joiner } = inviting;
    if (said.kind !== "join" || joiner?.deviceId === deviceId || (await idOf(said.publicKey)) !== deviceId) return;
    if (joiner) {
      // Somebody else has the link too, so nobody can tell who is who.
      for (const to of [joiner.deviceId, deviceId]) await inviting.say({ kind: "welcome", to });
      this.#pair(undefined);
      return;
    }
    const { publicKey } = said;
    const digits = await digitsOf(inviting.identity, publicKey);
    if (digits === undefined) return;
    inviting.joiner = { deviceId, name: said.name.slice(0, 60), publicKey, digits };
    this.member.changed();
  }

  /** The inviting device, or another one that has the same invitation, says something. */
  async #hearHost({ identity, invitation, joiner, untilMs }: Pairing, { said }: Packet): Promise<void> {
    if (!joiner || (said.kind !== "welcome" && said.kind !== "join")) return;
    const wrapped = said.kind === "welcome" && said.to === identity.deviceId && said.group;
    const place = wrapped && (await unwrapFor(identity, invitation.publicKey, wrapped));
    if (!isPlace(place)) return this.#pair(undefined, true);
    this.#pair(undefined);
    // First, as a server that was kept for the former group alone goes with it.
    await this.member.leave();
    const { topic, key, signIns } = place;
    await takeSignIns(this.context, this.rules, signIns);
    const where = { name: joiner.name, address: invitation.address, topic, key };
    await this.#enter({ ...identity, ...where, aheadMs: invitation.untilMs - untilMs, missedSinceS: 0 });
    void this.member.tell();
  }

  commands() {
    const { store, now, randomBytes } = this.context.environment;
    const member = async (): Promise<GroupRecord | undefined> => {
      const group = unwrap(await store.group());
      return group?.ended ? undefined : group;
    };
    return {
      deviceGroup: async () => ok(await this.#state()),

      startGroup: async ({ serverId, deviceName }) => {
        const server = unwrap(await store.servers()).find((one) => one.serverId === serverId);
        if (!server || (await member())) return fail({ kind: "not-found" });
        this.#pair(undefined);
        await this.member.leave();
        const { address, clockAheadS = 0 } = server;
        const place = { address, aheadMs: clockAheadS * 1_000, ...newPlace(this.context.environment) };
        await this.#enter({ ...(await makeIdentity()), name: deviceName, ...place });
        await this.member.tell();
        if ((await member())?.counter) return ok(null);
        const { why = { kind: "network" } } = this.member.trouble ?? {};
        // A group that can't say a word is none.
        await this.member.forget();
        return fail(failed(why));
      },

      inviteDevice: async () => {
        const group = await member();
        if (!group) return fail({ kind: "not-found" });
        const untilMs = now() + INVITED_FOR_MS;
        const { address, publicKey, aheadMs = 0 } = group;
        const secret = encodeBase64Url(randomBytes(SECRET_BYTES));
        const invitation = { address, secret, publicKey, untilMs: Math.floor(untilMs + aheadMs) };
        const inviting = await Pairing.of(this.context, invitation, group);
        inviting.untilMs = untilMs;
        this.#pair(inviting);
        return ok({ invitation: formatInvitation(invitation), untilMs });
      },

      endInvitation: async () => {
        const { isHost, joiner } = this.#pairing ?? {};
        if (isHost && joiner) await this.#pairing?.say({ kind: "welcome", to: joiner.deviceId });
        this.#pair(undefined);
        return ok(null);
      },

      letIn: async ({ deviceId, withSignIns }) => {
        const group = await member();
        const inviting = this.#pairing;
        const joiner = inviting?.joiner;
        if (!group || !inviting?.isHost || joiner?.deviceId !== deviceId) return fail({ kind: "not-found" });
        const signIns = withSignIns && { signIns: await signInsToPassOn(this.context.environment) };
        const place: GroupPlace = { topic: group.topic, key: group.key, ...signIns };
        const wrapped = await wrap(place, group, joiner.publicKey, randomBytes(IV_BYTES));
        const said = await inviting.say({ kind: "welcome", to: deviceId, ...(wrapped && { group: wrapped }) });
        if (!said.ok) return fail(failed(said.error));
        this.#pair(undefined);
        return ok(null);
      },

      joinGroup: async ({ invitation, deviceName }) => {
        const invited = parseInvitation(invitation);
        const barred = invited && (await this.rules.barred(invited.address));
        if (barred) return fail(barred);
        const identity = await makeIdentity();
        const { deviceId, publicKey } = identity;
        const digits = invited && (await digitsOf(identity, invited.publicKey));
        if (!invited || digits === undefined) return fail({ kind: "invalid", field: "server", reason: "invitation" });
        const joining = await Pairing.of(this.context, invited, identity);
        const asked = await joining.say({ kind: "join", name: deviceName, publicKey });
        if (!asked.ok) return fail(failed(asked.error));
        // By the server's clock, because the two devices' may differ.
        joining.untilMs = now() + invited.untilMs - asked.value.time * 1_000;
        joining.joiner = { deviceId, publicKey, name: deviceName, digits };
        this.#pair(joining);
        return ok(null);
      },

      leaveGroup: async () => {
        await this.member.leave();
        this.#pair(undefined);
        return ok(null);
      },

      removeDevice: ({ deviceId }) => this.member.removeDevice(deviceId),

      setOwnDevice: async (own) => {
        const group = await member();
        if (!group) return fail({ kind: "not-found" });
        const after = { ...group, ...own };
        unwrap(await store.patchGroup(own));
        unwrap(await store.setRegisters([ownRegister(after)], now()));
        if (after.shares.includes("marks") && !group.shares.includes("marks")) await shareMarks(this.context);
        this.member.compareSoon();
        void this.member.tell();
        return ok(null);
      },
    } satisfies FeatureCommands;
  }
}
