import type { ServerAddress } from "../../protocol";

/**
 * What loads unasked of the files that messages point at: nothing, files uploaded to the message's own server, or also
 * files elsewhere.
 */
export type Unasked = "nothing" | "files" | "all";

/** Where a message comes from, as far as showing it goes. */
export interface Origin {
  address: ServerAddress;
  topic: string;
  /** Name that the user gave the topic. */
  name?: string | undefined;
  colour?: number | undefined;
  /** Name of its server, set where a topic of another server has the same name. */
  serverName?: string | undefined;
  unasked: Unasked;
}
