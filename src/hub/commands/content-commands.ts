import {
  isFileOf,
  keptFileName,
  readActionRequest,
  SAID_TYPE_FIELD,
  statusOf,
  type CommandError,
  type Commands,
} from "../../contract";
import { fail, knownActions, ok, type Result, type ServerAddress } from "../../protocol";
import { openFileCache } from "../../store";
import type { Environment } from "../environment";
import { readServers, serverOfTopic } from "../read-servers";
import { readBeginning } from "../requests/read-text";
import { ANSWER_WITHIN_MS } from "../requests/requests";
import { failed, unwrap, type CommandContext, type FeatureCommands } from "./context";

/** Requests that a message asks for, with the user's consent: its `http` actions, and the text of its file. */
export function contentCommands(context: CommandContext) {
  const { store, now } = context.environment;
  const beginningOf = (file: Response) => readBeginning(file, context.environment, MAX_TEXT_BYTES, "file");
  return {
    async runAction({ key, actionId }) {
      const row = unwrap(await store.message(key));
      const action = row && knownActions(row.event).find(({ id }) => id === actionId);
      if (!action || action.action !== "http") return fail({ kind: "not-found" });
      const request = readActionRequest(action);
      if (!request.ok) return fail(failed({ kind: "not-allowed-by-browser" }));
      const { url, ...parts } = request.value;
      // Consent to this address isn't consent to one it redirects to. A redirect counts as status 0, because browsers
      // hide the real one. Only 2xx counts as success (docs/protocol.md §6). The target is no topic server, so its body
      // isn't read.
      const answer = await askElsewhere(
        context.environment,
        url,
        { ...parts, redirect: "manual", cache: "no-store" },
        async (response) => {
          await response.body?.cancel().catch(() => undefined);
          return { status: response.status };
        },
      );
      const status = answer.ok ? answer.value.status : statusOf(answer.error);
      const pressed = { id: actionId, ok: answer.ok, atMs: now(), ...(status !== undefined && { status }) };
      const noted = await store.notePressed(key, pressed);
      if (noted.ok) context.written(noted.value);
      return answer;
    },

    async readAttachment({ key }) {
      const attachment = unwrap(await store.message(key))?.event.attachment;
      if (!attachment) return fail({ kind: "not-found" });
      const copy = await (await openFileCache())?.match(keptFileName(key));
      if (copy) {
        return ok(decodeText(await beginningOf(copy), [copy.headers.get(SAID_TYPE_FIELD), attachment.type]));
      }
      const { server } = serverOfTopic(unwrap(await readServers(store)), key[0]) ?? {};
      // A proxy in front of the message's server gets its headers, if the file is on that server.
      const headers = server && isFileOf(attachment.url, server.address) ? server.headers : undefined;
      const init: RequestInit = headers ? { headers, redirect: "error" } : {};
      return askElsewhere(context.environment, attachment.url, init, async (response) => {
        const types = [response.headers.get("Content-Type"), attachment.type];
        return decodeText(await beginningOf(response), types);
      });
    },
  } satisfies FeatureCommands;
}

/** Requests a URL that a message names, and reads what is wanted of a 2xx answer, which must begin in time. */
async function askElsewhere<Value>(
  environment: Environment,
  url: string,
  init: RequestInit,
  take: (response: Response) => Promise<Value>,
): Promise<Result<Value, CommandError>> {
  // Parsed without a base: `fetch` would resolve "https:/a" against the app's address, and ask a host that the page
  // didn't show.
  const address = URL.canParse(url) ? new URL(url) : undefined;
  if (!address || !/^https?:$/.test(address.protocol)) return fail(failed({ kind: "not-allowed-by-browser" }));
  const aborter = new AbortController();
  const timer = environment.setTimer(() => aborter.abort(), ANSWER_WITHIN_MS);
  try {
    // Without the browser's cookies and logins for that host: the message may come from anyone.
    const response = await environment.fetch(address.href, {
      ...init,
      credentials: "omit",
      referrerPolicy: "no-referrer",
      signal: aborter.signal,
    });
    environment.clearTimer(timer);
    if (response.ok) return ok(await take(response));
    await response.body?.cancel().catch(() => undefined);
    return fail(failed({ kind: "http", status: response.status }));
  } catch {
    if (aborter.signal.aborted) return fail(failed({ kind: "silent" }));
    const isBlocked = await environment.isBlocked(address.origin as ServerAddress);
    return fail(failed({ kind: isBlocked ? "not-allowed-by-browser" : "network" }));
  } finally {
    environment.clearTimer(timer);
  }
}

/** How much of a file is shown in place, bytes; a longer one can be opened in a tab of its own. */
export const MAX_TEXT_BYTES = 65_536;

/** Byte order marks, and the encodings they stand for. */
const MARKS: readonly (readonly [string, readonly number[]])[] = [
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
];

/** A decoder for a character set; undefined if none is given or it isn't known. */
function decoderOf(charset: string | undefined): TextDecoder | undefined {
  try {
    return charset === undefined ? undefined : new TextDecoder(charset);
  } catch {
    // An unknown name is treated as none.
    return undefined;
  }
}

/** Decodes text by its byte order mark, else by the first type with a charset, else as UTF-8. NUL means bytes. */
export function decodeText(
  { bytes, isCut }: { bytes: Uint8Array; isCut: boolean },
  types: readonly (string | null | undefined)[],
): Extract<Commands["readAttachment"]["output"], { ok: true }>["value"] {
  const mark = MARKS.find(([, start]) => start.every((byte, at) => bytes[at] === byte))?.[0];
  const named = types.map((type) => /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(type ?? "")?.[1]);
  const decoder = [mark, ...named].map(decoderOf).find((each) => each !== undefined) ?? new TextDecoder();
  // The last character of a cut file may be incomplete; `stream` leaves it out.
  const text = decoder.decode(bytes, { stream: isCut });
  return text.includes("\0") ? { kind: "bytes" } : { kind: "text", text, bytes: bytes.length, isCut };
}
