import type { ServerResponse } from "node:http";
import type { StreamFormat } from "../protocol";
import { encodeJson, encodeRaw, encodeSse } from "../protocol";
import type { Core } from "./core";
import type { GrantedStream } from "./open-streams";

type HttpFormat = Exclude<StreamFormat, "ws">;

/** Content types of the HTTP formats (protocol, section 2). */
const CONTENT_TYPES: Readonly<Record<HttpFormat, string>> = {
  json: "application/x-ndjson; charset=utf-8",
  sse: "text/event-stream; charset=utf-8",
  raw: "text/plain; charset=utf-8",
};

const ENCODERS = { json: encodeJson, sse: encodeSse, raw: encodeRaw };

/** Answers with a stream or a poll over HTTP (protocol, sections 7 and 8). The answer is ours from here on. */
export function sendHttpStream(core: Core, response: ServerResponse, granted: GrantedStream, format: HttpFormat): void {
  response.on("close", granted.release);
  // A broken connection shows as `close`; without a listener its error would end the process.
  response.on("error", () => response.destroy());
  response.setHeader("Content-Type", CONTENT_TYPES[format]);
  response.setHeader("Access-Control-Allow-Origin", core.settings.allowOrigin);
  granted.start((signal) => ({
    stream: response,
    write(frames) {
      // The head goes out with the first bytes; an empty poll has none and says so by its length.
      if (frames.length > 0) response.write(frames.join(""));
    },
    bufferedBytes: () => response.writableLength,
    finish: () => response.end(),
    cut: () => response.destroy(),
    keepAlive: () => response.write(ENCODERS[format](signal("keepalive"))),
  }));
}
