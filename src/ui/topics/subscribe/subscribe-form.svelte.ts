import { isCurlCommand, type Filter, type SubscribeInput } from "../../../contract";
import {
  addressHost,
  fail,
  ok,
  parseServerAddress,
  randomTopicName,
  readExtraHeaders,
  type Credentials,
  type ExtraHeaders,
  type Result,
  type ServerAddress,
} from "../../../protocol";
import { DEVICES, invitationIn } from "../../devices/pairing";
import type { App } from "../../state/app.svelte";
import { hostRead } from "../../state/host";
import type { TopicsOfServer } from "../../state/navigation/view";
import { list, topicStrings } from "../../strings";
import { accountName, CredentialsDraft, knownAccount } from "../server/sign-in.svelte";
import { credentialsFault, faultOf, headersFaultText, topicFault, refusal, type Faults } from "../server/faults";
import { openLink } from "../../state/navigation/opened-link";
import { checkServer, hasScheme, plainAddress } from "../server/check-server";
import { readNames, type NamedTopics, type NameFault } from "./read-names";
import { subscribe } from "./subscribe";

/** Uniform in [0, 1), cryptographically secure: an open topic's name is its only password. */
function secureRandom(): number {
  return (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32;
}

/** What a link into this app opens that is more than a topic: one with a sign-in, or an invitation of devices. */
function openingText(text: string): string | undefined {
  const invitation = invitationIn(text);
  return invitation === undefined ? /#\/~open\/(access:[\w-]+)\s*$/.exec(text)?.[1] : `${DEVICES}${invitation}`;
}

/** The form that adds topics: the typed text, its errors, and the request to subscribe. */
export class SubscribeForm {
  topic = $state("");
  /** Address as typed. */
  server = $state("");
  /** Whether pasted text named the server. */
  #isNamed = false;
  history = $state<"all" | "now">("all");
  /** Extra headers of the server as typed, one per line. */
  headers = $state("");
  busy = $state(false);
  /** Whether its dialog was closed: what is still to be done isn't, and no feed is opened. */
  isLeft = false;
  readonly credentials = new CredentialsDraft();
  /** The filter of the link in the field, for the feed that is opened. */
  #filter: Filter | undefined;
  /** The name that the link in the field gives its topic. */
  label = $state.raw<string>();
  /** An error from the server or a press; it disappears as soon as its field changes. */
  #faults = $state.raw<Faults>({});

  constructor(private readonly app: App) {
    this.server = app.navigation.home;
    this.#preferKnown();
  }

  #address = $derived.by(() => parseServerAddress(this.server));
  #account = $derived.by(() => knownAccount(this.app, this.address));

  /** Name of the account used by other topics of this server. */
  get known(): string | undefined {
    return this.#account && accountName(this.#account);
  }

  /** The address as typed, if it is valid. */
  get address(): ServerAddress | undefined {
    return this.#address.ok ? this.#address.value : undefined;
  }

  #read = $derived.by(() => readNames(this.topic));

  /** The typed names one could subscribe to; used for an example. */
  get names(): string[] {
    return this.#read.named.flatMap(({ topics }) => topics);
  }

  /** What a typed name with spaces may mean: several topics, or one. */
  get meant(): string[][] {
    const words = this.#spaced?.split(/\s+/);
    return words ? [words, [words.join("-")]] : [];
  }

  /** Replaces the name with spaces by other names. */
  mean(names: readonly string[]): void {
    if (this.#spaced !== undefined) this.setTopic(this.topic.replace(this.#spaced, names.join(", ")));
  }

  get #spaced(): string | undefined {
    return this.#read.faults.find(({ faultText }) => faultText === topicStrings.nameFaults.space)?.typed;
  }

  /** What is wrong, by field. Names are checked as they are typed; an empty field isn't an error. */
  faults: Faults = $derived.by(() => {
    const { faults } = this.#read;
    return { ...this.#faults, ...(faults.length > 0 && { topic: this.#faultOf(faults) }) };
  });

  /** What went wrong at the last press of the button, in words. */
  get faultText(): string | undefined {
    return Object.values(this.#faults).join(" ") || undefined;
  }

  /** Takes text typed or pasted as names. Addresses of one server fill the server's field too. */
  setTopic(text: string): void {
    this.#faults = {};
    const opening = openingText(text);
    if (opening !== undefined) {
      this.app.dialogs.close();
      openLink(this.app.navigation, opening);
      return;
    }
    const { named, faults } = readNames(text);
    const [first, another] = named;
    this.#filter = another ? undefined : first?.filter;
    this.label = another ? undefined : first?.displayName;
    if (first?.address !== undefined && another === undefined && faults.length === 0) {
      this.topic = first.topics.join(", ");
      this.setServer(first.isAssumed ? addressHost(first.address) : first.address);
      this.#isNamed = true;
    } else {
      this.topic = text;
    }
  }

  /** Takes pasted lines, which a one-line field would join. */
  paste(event: ClipboardEvent & { currentTarget: HTMLInputElement }): void {
    const text = event.clipboardData?.getData("text") ?? "";
    if (!/[\r\n]/.test(text.trim())) return;
    event.preventDefault();
    if (isCurlCommand(text)) {
      this.setTopic(text);
      return;
    }
    const { value, selectionStart, selectionEnd } = event.currentTarget;
    const names = text
      .split(/[\r\n]+/)
      .map((line) => line.trim())
      .filter(Boolean)
      .join(", ");
    this.setTopic(value.slice(0, selectionStart ?? 0) + names + value.slice(selectionEnd ?? value.length));
  }

  setServer(text: string): void {
    this.#faults = {};
    this.server = text;
    this.#preferKnown();
  }

  /** Takes the default server that the host's file names, unless another was typed meanwhile. */
  async followHost(): Promise<void> {
    const { home: before } = this.app.navigation;
    await hostRead(this.app);
    const { home } = this.app.navigation;
    if (home !== before && this.server === before && !this.#isNamed) this.setServer(home);
  }

  setRandom(): void {
    this.setTopic(randomTopicName(secureRandom));
  }

  /**
   * Subscribes and opens the topics, or shows each error beside its field. Resolves to whether all were added. If one
   * of several servers refuses, its topics stay in the field, and those of the others are added.
   */
  async submit(): Promise<boolean> {
    const { named, faults } = this.#read;
    const address = this.#address;
    const needsAddress = named.length === 0 || named.some((some) => some.address === undefined);
    const credentials = this.credentials.read(this.#account?.credentials);
    const headers = readExtraHeaders(this.headers);
    const isNamed = named.length > 0 && faults.length === 0;
    this.#faults = {
      ...(!isNamed && { topic: faults.length > 0 ? this.#faultOf(faults) : topicFault({ kind: "empty" }) }),
      ...(needsAddress && !address.ok && { server: topicStrings.addressFaults[address.error.kind] }),
      ...(!credentials.ok && { credentials: credentialsFault(credentials.error) }),
      ...(!headers.ok && { headers: headersFaultText(headers.error) }),
    };
    if (!isNamed || (needsAddress && !address.ok) || !credentials.ok || !headers.ok || this.busy) return false;
    const extra = this.headers.trim() === "" ? undefined : headers.value;

    this.busy = true;
    try {
      const done: TopicsOfServer[] = [];
      for (const [at, { address: own, isAssumed, topics, displayName = this.label }] of named.entries()) {
        const asked = own ?? (address.ok ? address.value : undefined);
        if (asked === undefined) return false;
        const isOfForm = address.ok && asked === address.value;
        const used = isOfForm ? credentials.value : knownAccount(this.app, asked)?.credentials;
        const more = isOfForm ? extra : undefined;
        const isTyped = own === undefined ? !hasScheme(this.server) : isAssumed === true;
        const found = await this.#find(asked, isTyped, used, more);
        if (this.isLeft) return false;
        const server = found.ok ? found.value : asked;
        if (isOfForm) this.server = found.ok && server !== asked ? server : this.server;
        const fault = found.ok
          ? await this.#subscribe(
              {
                ...{ address: server, topics, history: this.history },
                ...(used && { credentials: used }),
                ...(more && { headers: more }),
              },
              displayName,
            )
          : { server: found.error };
        if (fault) {
          if (named.length > 1) this.#keep(named.slice(at), server, fault);
          else this.#faults = fault;
          return false;
        }
        done.push({ server, topics });
      }
      if (!this.isLeft) this.#arrive(done);
      return true;
    } finally {
      this.busy = false;
    }
  }

  /** The address of a server, or what is wrong with it. `isAssumed`: it was typed without a scheme. */
  async #find(
    asked: ServerAddress,
    isAssumed: boolean,
    credentials: Credentials | undefined,
    headers: ExtraHeaders | undefined,
  ): Promise<Result<ServerAddress, string>> {
    const isKnown = (one: ServerAddress) => this.app.catalogue.servers.some(({ address }) => address === one);
    if (isKnown(asked)) return ok(asked);
    const plain = isAssumed ? plainAddress(asked) : undefined;
    const found = plain && isKnown(plain) ? ok(plain) : await checkServer(this.app, asked, isAssumed, headers);
    if (!found.ok || found.value === asked || !(credentials ?? headers)) return found;
    // A typed secret is sent unencrypted only once the user has seen that.
    this.server = found.value;
    return fail(topicStrings.addressFaults.plain);
  }

  /** Subscribes to topics of one server. Returns the errors, if any. */
  async #subscribe(input: SubscribeInput, displayName: string | undefined): Promise<Faults | undefined> {
    const subscribed = await subscribe(this.app, input, displayName);
    if (subscribed.ok) return undefined;
    const { error } = subscribed;
    if (error.kind === "duplicate") {
      this.app.notices.show({ text: topicStrings.add.already({ topic: list(input.topics) }) });
      return undefined;
    }
    const fault = refusal(error, input.credentials);
    // Credentials are needed, so their fields open.
    if (fault.credentials && (this.credentials.way === "none" || this.credentials.way === "known")) {
      this.credentials.way = "basic";
    }
    return fault;
  }

  /** Leaves the topics not subscribed to yet in the fields, with the error of the first. */
  #keep(left: readonly NamedTopics[], server: ServerAddress, fault: Faults): void {
    const [first, ...others] = left;
    const own = first?.topics ?? [];
    const rest = others.flatMap(({ address = this.server, topics }) => topics.map((topic) => `${address}/${topic}`));
    this.topic = [...own, ...rest].join(", ");
    this.server = server;
    this.#preferKnown();
    this.#faults = { ...fault, topic: faultOf(list(own), Object.values(fault).join(" ")) };
  }

  #faultOf(faults: readonly NameFault[]): string {
    const [only] = faults;
    if (only && faults.length === 1 && this.#read.named.length === 0) return only.faultText;
    return faults.map(({ typed, faultText }) => faultOf(typed, faultText)).join(" ");
  }

  #arrive(done: readonly TopicsOfServer[]): void {
    const [only, another] = done;
    if (only && !another) this.app.navigation.go({ kind: "topics", ...only }, this.#filter);
    else this.app.navigation.go({ kind: "everything" });
  }

  #preferKnown(): void {
    if (this.#account && this.credentials.way === "none") this.credentials.way = "known";
    else if (!this.#account && this.credentials.way === "known") this.credentials.way = "none";
  }
}
