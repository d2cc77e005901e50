import type { ServerNotice, StoredMessage } from "../contract";
import type { Announcement } from "./changes-event";

/** The hub, as the leader and its connections see it. */
export interface LeadingHub {
  /** Tells every tab. */
  announce(event: Announcement): void;
  /** Takes rows whose alerts were claimed and that a tab should show. */
  alert(rows: StoredMessage[]): void;
  /** Tells the user that receiving stopped, which they could take for silence otherwise. */
  notice(notice: ServerNotice): void;
  /** Servers, accounts or subscriptions changed in the store: everyone reads them again, including the connections. */
  catalogueChanged(): Promise<void>;
}
