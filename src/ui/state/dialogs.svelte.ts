import type { Chosen, MessageKey, SendableRequest } from "../../contract";
import type { Credentials, HttpAction } from "../../protocol";
import type { Layers } from "./navigation/layers";
import type { LoadSource } from "./load-source";

/** A button's request that needs the user's consent. */
export interface ActionRequest {
  key: MessageKey;
  action: HttpAction;
  sendable: SendableRequest;
}

/** A dialog to show; its code is loaded on demand. */
export type DialogRequest =
  | { kind: "commands" }
  | { kind: "keys" }
  | { kind: "jump" }
  | { kind: "add-topic" }
  /** Without a topic, the dialog asks for one and suggests `likely`. */
  | { kind: "publish"; subId?: number; likely?: number | undefined }
  | { kind: "topic"; subId: number }
  | { kind: "pictures"; subId: number }
  /** Without a topic, everything is muted. */
  | { kind: "mute"; subId?: number }
  /** Saves the current view, or renames the view `viewId`. */
  | { kind: "view"; viewId?: number }
  | { kind: "group"; of: number | string }
  | { kind: "server"; serverId: number }
  | { kind: "move-server"; serverId: number }
  | { kind: "account-topics"; serverId: number }
  | { kind: "connection"; serverId: number }
  /** `subIds`: absent = for all of the server. `fromLink`: a sign-in from a link, which the user may accept. */
  | { kind: "sign-in"; serverId: number; subIds?: number[]; fromLink?: Credentials }
  | { kind: "copy"; text: string }
  /** Saves the messages of the current view as a file. */
  | { kind: "save-view" }
  /** A link as a QR code, with the ways to send it. `title`: what it shows. */
  | { kind: "share"; title: string; url: string }
  | { kind: "run-action"; request: ActionRequest }
  /** `facts`: kind, size and so on, in one line. `key`: of its message, whose neighbours may have pictures too. */
  | { kind: "image"; source: LoadSource; name: string; facts: string; key?: MessageKey | undefined }
  /** `isSnoozed`: whether they can be brought back. `after`: called once a time is chosen. */
  | { kind: "snooze"; chosen: Chosen; isSnoozed: boolean; after?: () => void };

/** What a dialog of this kind is drawn with. */
export type DialogProps<Kind extends DialogRequest["kind"]> = Omit<Extract<DialogRequest, { kind: Kind }>, "kind">;

/** The page's dialogs, of which at most one is open. */
export class Dialogs {
  current = $state.raw<DialogRequest>();
  #leave: (() => void) | undefined;

  constructor(private readonly layers: Layers) {}

  /** Opens a dialog in place of the one that is open. */
  open(request: DialogRequest): void {
    this.#leave ??= this.layers.open(() => this.close());
    this.current = request;
  }

  close(): void {
    this.#leave?.();
    this.#leave = undefined;
    this.current = undefined;
  }
}
