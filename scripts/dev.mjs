// npm run dev: the app with changes shown at once, and the topic server beside it: npm run dev -- [what npm run server takes]
import { ensurePackages, withReadableErrors } from "./setup.mjs";

await withReadableErrors(async () => {
  await ensurePackages();
  // Import this only now, as TypeScript and the build need the packages that were just installed.
  const { register } = await import("tsx/esm/api");
  register();
  const { addressesOf, closeOnSignal, seedWelcome, startByCommand } = await import("../src/server/index.ts");
  const { createServer } = await import("vite");

  const command = {
    usage: "Usage: npm run dev -- [--port N] [--host ADDRESS] [--config FILE]",
    defaults: { attachments: {}, webPush: {} },
  };
  const running = await startByCommand(process.argv.slice(2), command);
  if (!running) return;
  // Its disk may be full.
  await seedWelcome(running).catch((error) => console.error(error));

  const home = addressesOf(running.settings.host, running.port).here;
  const vite = await createServer({
    plugins: [
      {
        name: "earshot-home",
        // The page and the server have different origins, as if the app had its own host.
        transformIndexHtml: (html) => html.replace(/(name="earshot-server" content=")/, `$1${home}`),
      },
    ],
    server: { host: running.settings.host },
  });
  await vite.listen();
  closeOnSignal(() => Promise.all([vite.close(), running.close()]));
  vite.printUrls();
});
