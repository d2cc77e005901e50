import type { ServerResponse } from "node:http";
import { encodeJson, encodeRaw, encodeSse, STREAM_TYPES, type HttpFormat } from "../protocol";
import type { Core } from "./core";
import type { GrantedStream } from "./open-streams";

const ENCODERS = { json: encodeJson, sse: encodeSse, raw: encodeRaw };

/** Answers with a stream or a poll over HTTP (docs/protocol.md §7 and 8). From here on only it writes the response. */
export function sendHttpStream(core: Core, response: ServerResponse, granted: GrantedStream, format: HttpFormat): void {
  response.on("close", granted.release);
  // A broken connection shows as `close`; without a listener its error would end the process.
  response.on("error", () => response.destroy());
  response.setHeader("Content-Type", `${STREAM_TYPES[format]}; charset=utf-8`);
  response.setHeader("Access-Control-Allow-Origin", core.settings.allowOrigin);
  if (!granted.request.isPoll) {
    // A proxy such as nginx would hold messages back until it has a few kilobytes of them.
    response.setHeader("X-Accel-Buffering", "no");
    // A stream may be silent while there are no messages.
    response.socket?.setTimeout(0);
  }
  granted.start((signal) => ({
    stream: response,
    write(frames) {
      // The head is sent with the first bytes; an empty poll has none, so it declares a length of 0.
      if (frames.length > 0) response.write(frames.join(""));
    },
    finish: () => response.end(),
    cut: () => response.destroy(),
    keepAlive: () => response.write(ENCODERS[format](signal("keepalive"))),
  }));
}
