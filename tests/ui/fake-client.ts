// A page's client without worker and database: it holds small tables, answers commands as a test says, and lets a test
// act as the hub.
import type { Catalogue, Client, Reader, ServerRecord, SubscriptionRecord } from "../../src/client";
import { EMPTY_CATALOGUE, guardedReads, StorageTrouble } from "../../src/client/guarded-reads";
import type { CommandName, Commands, HubEvent, ServerStatus, StoredMessage } from "../../src/contract";
import type { ServerAddress } from "../../src/protocol";

type Answers = { [Name in CommandName]?: (input: Commands[Name]["input"]) => Commands[Name]["output"] };

export const ADDRESS = "https://ntfy.example" as ServerAddress;

export function server(part: Partial<ServerRecord> = {}): ServerRecord {
  return { serverId: 1, address: ADDRESS, ...part };
}

export function subscription(part: Partial<SubscriptionRecord> = {}): SubscriptionRecord {
  const subId = part.subId ?? 1;
  return {
    subId,
    serverId: 1,
    accountId: 0,
    topic: `topic${String(subId)}`,
    order: subId,
    unread: 0,
    unreadUrgent: 0,
    unreadHigh: 0,
    starred: 0,
    scheduled: 0,
    snoozed: 0,
    inFeed: 0,
    total: 0,
    ...part,
  };
}

export function catalogue(part: Partial<Catalogue> = {}): Catalogue {
  return { ...EMPTY_CATALOGUE, ...part };
}

export class FakeClient implements Client {
  environment: Client["environment"] = { secure: true, storage: "database", worker: "shared" };
  readonly statuses = new Map<number, ServerStatus>();
  readonly sent: { name: CommandName; input: unknown }[] = [];
  tables: Catalogue;
  messages: StoredMessage[] = [];
  /** The answer to every probe of an address. */
  probed: Awaited<ReturnType<Client["probe"]>> = "topic-server";
  /** Addresses that are something else. */
  readonly probedAt = new Map<string, Awaited<ReturnType<Client["probe"]>>>();
  answers: Answers = {};
  #listeners = new Set<(event: HubEvent) => void>();

  constructor(tables: Catalogue = catalogue()) {
    this.tables = tables;
  }

  readonly #trouble = new StorageTrouble((event) => this.#tell(event));
  /** The reader under the guarded one; a test may replace its methods. */
  readonly reader: Reader = {
    catalogue: () => Promise.resolve(this.tables),
    page: () => Promise.resolve({ rows: this.messages }),
    count: () => Promise.resolve({ found: this.messages.length, upTo: 0 }),
    tags: () => Promise.resolve([]),
    get: ([subId, time, id]) =>
      Promise.resolve(this.#find((row) => row.subId === subId && row.time === time && row.id === id)),
    find: (subId, id) => Promise.resolve(this.#find((row) => row.subId === subId && row.id === id)),
    versions: () => Promise.resolve([]),
    gaps: () => Promise.resolve([]),
    days: () => Promise.resolve([]),
    damage: () => Promise.resolve({}),
    backup: () => Promise.resolve({ rows: [], traces: [], sequences: [] }),
  };

  readonly read = guardedReads(
    () => this.reader,
    ({ text }) => this.#trouble.ended("unreadable", text),
  );

  #find(test: (row: StoredMessage) => boolean): StoredMessage | undefined {
    return this.messages.find(test);
  }

  send<Name extends CommandName>(name: Name, input: Commands[Name]["input"]): Promise<Commands[Name]["output"]> {
    this.sent.push({ name, input });
    const answer = this.answers[name] as ((input: Commands[Name]["input"]) => Commands[Name]["output"]) | undefined;
    const fallback = { ok: true, value: null } as unknown as Commands[Name]["output"];
    return Promise.resolve(answer ? answer(input) : fallback);
  }

  listen(listener: (event: HubEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  probe(address: string): ReturnType<Client["probe"]> {
    return Promise.resolve(this.probedAt.get(address) ?? this.probed);
  }

  inspected: Awaited<ReturnType<Client["inspect"]>> = { answer: "topic-server", localNetwork: "unknown" };
  inspect(): ReturnType<Client["inspect"]> {
    return Promise.resolve(this.inspected);
  }

  close(): void {
    this.#listeners.clear();
  }

  /** Announces as the hub would. */
  announce(event: HubEvent): void {
    if (event.kind === "storage") this.#trouble.told(event);
    else this.#tell(event);
  }

  #tell(event: HubEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}
