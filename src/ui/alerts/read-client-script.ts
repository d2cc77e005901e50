// Older servers tell their push key only in a script, which no other origin may read but any may run.
import { clientScriptUrl, type ServerAddress } from "../../protocol";

/** How long, ms, to wait for the script. */
const WITHIN_MS = 5_000;

/**
 * Runs a server's `/config.js` and resolves to what it says about pushes, unchecked; undefined = nothing in time. It
 * runs in a hidden sandboxed frame, `public/server-key.html`, which can't reach the app and goes with the answer. Call
 * only after a press.
 */
export function readClientScript(address: ServerAddress): Promise<unknown> {
  const frame = document.createElement("iframe");
  frame.hidden = true;
  frame.sandbox.add("allow-scripts");
  frame.referrerPolicy = "no-referrer";
  frame.src = "./server-key.html";
  // The answer comes by its own channel, so no other frame can give one.
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
