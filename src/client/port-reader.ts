import { StoreFailure, type Reader } from "../store";
import type { HubLine } from "./hub-line";

/**
 * Reads through the hub, for a page whose database can't be opened: rows are in the hub's memory (docs/design.md §3).
 */
export function portReader(line: Pick<HubLine, "send">): Reader {
  const read =
    <Name extends keyof Reader>(method: Name) =>
    async (...args: Parameters<Reader[Name]>): Promise<Awaited<ReturnType<Reader[Name]>>> => {
      const answer = await line.send("read", { method, args });
      if (!answer.ok) {
        const { kind, text = kind }: { kind: string; text?: string } = answer.error;
        throw new StoreFailure({ kind: kind === "quota" ? kind : "failed", text });
      }
      return answer.value as Awaited<ReturnType<Reader[Name]>>;
    };
  return {
    catalogue: read("catalogue"),
    page: read("page"),
    count: read("count"),
    tags: read("tags"),
    get: read("get"),
    find: read("find"),
    versions: read("versions"),
    gaps: read("gaps"),
    days: read("days"),
  };
}
