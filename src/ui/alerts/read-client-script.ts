// Older servers tell their key for pushes only in a script, which no other origin may read, but any may run.
import { clientScriptUrl, type ServerAddress } from "../../protocol";

/** A script that has said nothing for this long, ms, isn't waited for. */
const WITHIN_MS = 5_000;

/**
 * Runs a server's `/config.js` and resolves to what it says of pushes, unchecked; undefined = nothing, in time. It is run
 * in a hidden sandboxed frame, `public/server-key.html`, which reaches nothing of the app and goes with the answer. Call
 * only after a press of the user.
 */
export function readClientScript(address: ServerAddress): Promise<unknown> {
  const frame = document.createElement("iframe");
  frame.hidden = true;
  frame.sandbox.add("allow-scripts");
  frame.referrerPolicy = "no-referrer";
  frame.src = "./server-key.html";
  // The answer comes by a channel of its own, so that no other frame can give one.
  const { port1: answers, port2: toAnswer } = new MessageChannel();
  return new Promise<unknown>((resolve) => {
    setTimeout(resolve, WITHIN_MS);
    answers.onmessage = ({ data }: MessageEvent<unknown>) => resolve(data);
    // A sandboxed frame has an opaque origin, which can't be a target.
    const ask = () => frame.contentWindow?.postMessage(clientScriptUrl(address), "*", [toAnswer]);
    frame.addEventListener("load", ask, { once: true });
    document.body.append(frame);
  }).finally(() => {
    frame.remove();
    answers.close();
  });
}
