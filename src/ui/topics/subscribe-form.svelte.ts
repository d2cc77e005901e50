import { parsePastedTopic, type CommandError } from "../../contract";
import { checkTopicName, parseServerAddress, randomTopicName, type ServerAddress } from "../../protocol";
import type { App } from "../state/app.svelte";
import { topicStrings } from "../strings/topics";
import { accountName, CredentialsDraft, knownAccount } from "./credentials-draft.svelte";
import { addressFault, credentialsFault, topicFault } from "./faults";
import { refusal, type Faults } from "./refusal";
import { checkServer } from "./check-server";
import { subscribe } from "./subscriptions";

/** Uniform in [0, 1), from the browser's cryptographic source: an open topic has no other password than its name. */
function secureRandom(): number {
  return (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32;
}

/** The form that adds a topic: the typed text, its errors, and the request to subscribe. */
export class SubscribeForm {
  topic = $state("");
  /** Address as typed. */
  server = $state("");
  history = $state<"all" | "now">("all");
  busy = $state(false);
  readonly credentials = new CredentialsDraft();
  #app: App;
  /** An error from the server or from pressing the button; it goes as soon as its field is changed. */
  #faults = $state.raw<Faults>({});

  constructor(app: App) {
    this.#app = app;
    this.server = app.home;
    this.#preferKnown();
  }

  #address = $derived.by(() => parseServerAddress(this.server));
  #knownServer = $derived.by(() => {
    const address = this.#address;
    return address.ok ? this.#app.catalogue.servers.find((server) => server.address === address.value) : undefined;
  });
  #account = $derived.by(() => knownAccount(this.#app.catalogue.tables.accounts, this.#knownServer?.serverId));

  /** Name of the account that other topics of this server use. */
  get known(): string | undefined {
    return this.#account && accountName(this.#account);
  }

  /** The address as typed, if it is one. */
  get address(): ServerAddress | undefined {
    return this.#address.ok ? this.#address.value : undefined;
  }

  /** What is wrong, by field. A name is checked while it is typed; that nothing was typed yet is no fault. */
  faults: Faults = $derived.by(() => {
    const name = checkTopicName(this.topic.trim());
    const typed = this.topic !== "" && !name.ok ? { topic: topicFault(name.error) } : {};
    return { ...this.#faults, ...typed };
  });

  /** Takes the text typed or pasted into the name's field. A whole link fills the server's field too. */
  setTopic(text: string): void {
    this.#faults = {};
    const pasted = /[/:]/.test(text) ? parsePastedTopic(text) : undefined;
    const [topic, another] = pasted?.ok ? pasted.value.topics : [];
    if (pasted?.ok && topic !== undefined && another === undefined) {
      this.topic = topic;
      this.setServer(pasted.value.address);
    } else {
      this.topic = text;
    }
  }

  setServer(text: string): void {
    this.#faults = {};
    this.server = text;
    this.#preferKnown();
  }

  setRandom(): void {
    this.setTopic(randomTopicName(secureRandom));
  }

  /** Subscribes and opens the topic, or shows each error beside its field. Resolves to whether it subscribed. */
  async submit(): Promise<boolean> {
    const name = checkTopicName(this.topic.trim());
    const address = this.#address;
    const credentials = this.credentials.read(this.#account?.credentials);
    this.#faults = {
      ...(!name.ok && { topic: topicFault(name.error) }),
      ...(!address.ok && { server: addressFault(address.error) }),
      ...(!credentials.ok && { credentials: credentialsFault(credentials.error) }),
    };
    if (!name.ok || !address.ok || !credentials.ok || this.busy) return false;

    this.busy = true;
    try {
      const wrong = this.#knownServer ? undefined : await checkServer(this.#app.client, address.value);
      if (wrong) {
        this.#faults = { server: wrong };
        return false;
      }
      const subscribed = await subscribe(this.#app, {
        address: address.value,
        topics: [name.value],
        history: this.history,
        ...(credentials.value && { credentials: credentials.value }),
      });
      return subscribed.ok
        ? this.#arrive(address.value, name.value)
        : this.#refused(subscribed.error, address.value, name.value);
    } finally {
      this.busy = false;
    }
  }

  #arrive(server: ServerAddress, topic: string): boolean {
    this.#app.navigation.go({ kind: "topics", server, topics: [topic] });
    return true;
  }

  #refused(error: CommandError, server: ServerAddress, topic: string): boolean {
    if (error.kind === "duplicate") {
      this.#app.notices.show({ text: topicStrings.add.already(topic) });
      return this.#arrive(server, topic);
    }
    this.#faults = refusal(error);
    // Asked for credentials: the fields open, ready to be filled in.
    if (this.#faults.credentials && (this.credentials.way === "none" || this.credentials.way === "known")) {
      this.credentials.way = "basic";
    }
    return false;
  }

  #preferKnown(): void {
    if (this.#account && this.credentials.way === "none") this.credentials.way = "known";
    else if (!this.#account && this.credentials.way === "known") this.credentials.way = "none";
  }
}
