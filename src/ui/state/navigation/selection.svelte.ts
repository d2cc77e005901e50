import type { MessageKey, StoredMessage } from "../../../contract";
import type { Layout } from "../layout.svelte";
import type { LinkedMessage } from "./linked-message";
import type { RouteChange, Navigation } from "./navigation.svelte";
import { isFeed } from "./view";

/** The page's selected message, and whether it is shown on its own page. */
export class Selection {
  /** Key of the selected message, to which the keyboard and the details apply. */
  key = $state.raw<MessageKey>();
  /** Whether the selected message has its own page, because there is no room beside the feed. */
  opened = $state(false);
  /** The earlier versions of the selected message were asked for, until its page shows them. */
  asksVersions = $state(false);
  /** The message shown beside the feed or instead of it: keys apply to it even if the feed lacks it. */
  shownRow: StoredMessage | undefined;
  /** The message named by the last link, until it is found or another is selected. */
  linked: LinkedMessage | undefined;

  constructor(
    private readonly navigation: Navigation,
    private readonly layout: Layout,
  ) {}

  /** Selects a message, or nothing. The details beside the feed show it, and Back closes them. */
  select(key: MessageKey | undefined): void {
    const isFirst = this.key === undefined;
    this.#set(key);
    if (key) {
      if (isFirst && this.layout.shape === "wide" && isFeed(this.navigation.view)) this.navigation.showMessage(key);
      return;
    }
    if (this.opened) this.close();
    else this.navigation.nameMessage(undefined);
  }

  /** Selects a message and, if there is no room beside the feed, shows it on a page that Back leaves. */
  open(key: MessageKey): void {
    if (this.layout.shape === "wide") this.select(key);
    this.#set(key);
    if (this.layout.shape === "wide" || this.opened) return;
    this.navigation.showMessage(key);
    this.opened = true;
  }

  close(): void {
    if (!this.opened) return;
    this.opened = false;
    this.navigation.leaveMessage();
  }

  /**
   * Applies a new route: the selection survives only in the same view, and a link may name a message. Beside the feed,
   * the address names the message shown; after a message's own page its row stays selected.
   */
  arrive({ route: { message }, isSameView, isFromAddress }: RouteChange): void {
    const isPutAway = isFromAddress && !message && this.layout.shape === "wide";
    if (!isSameView || isPutAway) this.key = undefined;
    this.opened = false;
    this.linked = message && { ...message, sinceMs: Date.now(), isMissed: false };
  }

  /** Shows the linked message, beside the feed or on its own page. */
  showLinked(key: MessageKey): void {
    this.linked = undefined;
    this.key = key;
    this.opened = this.layout.shape !== "wide";
  }

  #set(key: MessageKey | undefined): void {
    this.linked = undefined;
    this.key = key;
    this.asksVersions = false;
  }
}
