import { ScriptedServer } from "../e2e/scripted-server";
import { expect, test, type Tab } from "./fixtures";

test.use({ serverOptions: { webPush: { allowLoopback: true } } });

/** Has the frame of the app run a script. Resolves to its answer; "none" within this time, ms. */
function ask(tab: Tab, url: string, withinMs: number): Promise<unknown> {
  return tab.window.run(
    async (url, withinMs) => {
      const frame = document.createElement("iframe");
      frame.sandbox.add("allow-scripts");
      frame.hidden = true;
      frame.src = "./server-key.html";
      const { port1, port2 } = new MessageChannel();
      const answer = new Promise<unknown>((resolve) => {
        port1.onmessage = ({ data }) => resolve(data);
        frame.onload = () => {
          frame.contentWindow?.postMessage(url, "*", [port2]);
          setTimeout(() => resolve("none"), withinMs);
        };
      });
      document.body.append(frame);
      const said = await answer;
      frame.remove();
      // Without a value there is nothing that could come back.
      return JSON.stringify(said) ?? "nothing";
    },
    url,
    withinMs,
  );
}

test("the script of an older server tells its key from a sandboxed frame, and an endless one keeps nobody waiting", async ({
  server,
  tab,
}) => {
  await tab.goto(server.url);
  const { web_push_public_key: key } = (await (await fetch(`${server.url}v1/config`)).json()) as Record<string, string>;
  expect(await ask(tab, `${server.url}config.js`, 20_000)).toBe(
    JSON.stringify({ enable_web_push: true, web_push_public_key: key }),
  );
  expect(await ask(tab, `${server.url}not-there.js`, 20_000)).toBe("nothing");
  const hostile = new ScriptedServer();
  hostile.answer = (_asked, response) => {
    response.writeHead(200, { "Content-Type": "text/javascript" }).end("for (;;);");
    return true;
  };
  await hostile.start();
  try {
    expect(await ask(tab, `${hostile.url}/config.js`, 1_000)).toBe('"none"');
  } finally {
    await hostile.stop();
  }
  await tab.shows({ css: "h1" });
});
