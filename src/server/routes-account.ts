import type { FastifyInstance, FastifyRequest } from "fastify";
import type { User } from "./access";
import type { Accounts, AccountSubscription, Token, TokenChange } from "./accounts";
import { guards } from "../protocol";
import { field, parseFields, readText } from "./body";
import { type Call, takeRequest } from "./call";
import type { Core } from "./core";
import { present } from "./draft";
import { Refusal } from "./protocol-error";

const { as, text } = guards;

/** Longest body about an account: each change writes the whole account to the state file. */
const ACCOUNT_BODY_BYTES = 1_024;
/** The most topics that an account can list. */
const MAX_SUBSCRIPTIONS = 1_000;

async function readObject(request: FastifyRequest, mayBeEmpty: boolean): Promise<Record<string, unknown>> {
  const body = await readText(request.raw, ACCOUNT_BODY_BYTES);
  return body.trim() === "" && mayBeEmpty ? {} : parseFields(body, 40024);
}

function tokenChange(object: Record<string, unknown>): TokenChange {
  const label = field(object, "label", text);
  const expires = field(object, "expires", as<number>(Number.isSafeInteger));
  return { ...(label !== undefined && { label }), ...(expires !== undefined && { expires }) };
}

function subscriptionOf(object: Record<string, unknown>): AccountSubscription {
  return {
    base_url: field(object, "base_url", text) ?? "",
    topic: field(object, "topic", text) ?? "",
    display_name: field(object, "display_name", text) ?? null,
  };
}

/** The topics that a user lists besides one. */
function others(accounts: Accounts, user: User, one: AccountSubscription): AccountSubscription[] {
  const { subscriptions } = accounts.of(user);
  return subscriptions.filter(({ base_url, topic }) => base_url !== one.base_url || topic !== one.topic);
}

function tokenAnswer({ token, label, lastAccess, lastOrigin, expires }: Token): object {
  return present({ token, label, last_access: lastAccess, last_origin: lastOrigin, expires: expires || undefined });
}

/** The caller's own token, which is changed or removed if the request names none. */
function ownToken({ headers }: Call): string | undefined {
  return /^Bearer (\S+)$/.exec(headers["authorization"]?.[0] ?? "")?.[1];
}

/** What a visitor may use and has used (docs/protocol.md §2). */
function allowance(core: Core, { visitor }: Call): { limits: object; stats: object } {
  const { attachments, cache } = core.settings;
  const total = attachments?.visitorBytes ?? 0;
  const used = core.attachments?.usedBy(visitor.key) ?? 0;
  return {
    limits: {
      basis: "ip",
      messages: visitor.messageLimit,
      messages_expiry_duration: Math.floor(cache),
      ...{ emails: 0, calls: 0, reservations: 0 },
      attachment_total_size: total,
      attachment_file_size: attachments?.fileBytes ?? 0,
      attachment_expiry_duration: Math.floor(attachments?.keep ?? 0),
      attachment_bandwidth: attachments?.trafficBytesPerDay ?? 0,
    },
    stats: {
      messages: visitor.messages,
      messages_remaining: Math.max(0, visitor.messageLimit - visitor.messages),
      ...{ emails: 0, emails_remaining: 0, calls: 0, calls_remaining: 0, reservations: 0, reservations_remaining: 0 },
      attachment_total_size: used,
      attachment_total_size_remaining: Math.max(0, total - used),
    },
  };
}

/** Routes of accounts: who am I, tokens, the list of topics (docs/protocol.md §2). */
export function addAccountRoutes(app: FastifyInstance, core: Core): void {
  /**
   * A route by which the user who has signed in changes the account; the user's apps are told.
   * @param change returns the answer, or a promise of it
   * @throws Refusal 40401 without access control, 40101 if nobody has signed in
   */
  function changing(
    method: "POST" | "PATCH" | "DELETE",
    what: "token" | "subscription",
    change: (accounts: Accounts, user: User, request: FastifyRequest) => object | Promise<object>,
  ): void {
    const handler = async (request: FastifyRequest): Promise<object> => {
      takeRequest(request.call);
      const { accounts } = core;
      const { user } = request.call;
      if (!accounts) throw new Refusal(40401);
      if (!user) throw new Refusal(40101);
      const answer = await change(accounts, user, request);
      const topic = accounts.of(user).syncTopic;
      core.topics.publish({ ...core.stamp(), event: "message", topic, message: '{"event":"sync"}' });
      return answer;
    };
    app.route({ method, url: `/v1/account/${what}`, handler });
  }

  app.get("/v1/account", ({ call }) => {
    const shared = allowance(core, call);
    if (!core.accounts || !call.user) return { username: "*", role: "anonymous", ...shared };
    const { syncTopic, subscriptions, tokens } = core.accounts.of(call.user);
    return {
      ...{ username: call.user.name, role: call.user.role, sync_topic: syncTopic },
      ...(subscriptions.length > 0 ? { subscriptions } : {}),
      ...(tokens.length > 0 ? { tokens: tokens.map(tokenAnswer) } : {}),
      ...shared,
    };
  });

  changing("POST", "token", async (accounts, user, request) => {
    const change = tokenChange(await readObject(request, true));
    return tokenAnswer(accounts.issueToken(user, request.call.origin, change));
  });

  changing("PATCH", "token", async (accounts, user, request) => {
    const object = await readObject(request, true);
    const named = field(object, "token", text) || ownToken(request.call);
    if (named === undefined) throw new Refusal(40023);
    const token = accounts.changeToken(user, named, tokenChange(object));
    if (!token) throw new Refusal(40401, "the account has no such token");
    return tokenAnswer(token);
  });

  changing("DELETE", "token", (accounts, user, { call }) => {
    const token = call.headers["x-token"]?.[0] || call.headers["token"]?.[0] || ownToken(call);
    if (token === undefined) throw new Refusal(40023);
    const { tokens } = accounts.of(user);
    accounts.change(user, { tokens: tokens.filter((known) => known.token !== token) });
    return { success: true };
  });

  changing("POST", "subscription", async (accounts, user, request) => {
    const added = subscriptionOf(await readObject(request, false));
    const { subscriptions } = accounts.of(user);
    if (others(accounts, user, added).length < subscriptions.length) throw new Refusal(40903);
    if (subscriptions.length >= MAX_SUBSCRIPTIONS)
      throw new Refusal(40000, `an account can list ${MAX_SUBSCRIPTIONS} topics`);
    accounts.change(user, { subscriptions: [...subscriptions, added] });
    return added;
  });

  changing("PATCH", "subscription", async (accounts, user, request) => {
    const changed = subscriptionOf(await readObject(request, false));
    const left = others(accounts, user, changed);
    const { subscriptions } = accounts.of(user);
    if (left.length === subscriptions.length) throw new Refusal(40401);
    accounts.change(user, { subscriptions: subscriptions.map((known) => (left.includes(known) ? known : changed)) });
    return changed;
  });

  changing("DELETE", "subscription", (accounts, user, { call: { headers } }) => {
    const base_url = headers["x-baseurl"]?.[0] ?? headers["baseurl"]?.[0] ?? "";
    const topic = headers["x-topic"]?.[0] ?? headers["topic"]?.[0] ?? "";
    accounts.change(user, { subscriptions: others(accounts, user, { base_url, topic }) });
    return { success: true };
  });
}
