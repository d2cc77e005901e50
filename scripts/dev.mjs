// npm run dev: the app with changes shown at once, and the topic server beside it: npm run dev -- [what npm run server takes]
import { SetupError, ensurePackages, withReadableErrors, requireNode } from "./setup.mjs";

await withReadableErrors(async () => {
  requireNode();
  await ensurePackages();
  // Import this only now, as TypeScript and the build need the packages that were just installed.
  const { register } = await import("tsx/esm/api");
  register();
  const { OptionsError, SERVER_ARGUMENTS, closeOnSignal, listenProblem, ...server } =
    await import("../src/server/index.ts");
  const { createServer } = await import("vite");

  const read = await server.readCommandLine(process.argv.slice(2), process.env);
  if (!read.ok) throw new SetupError([...read.error, `Usage: npm run dev -- ${SERVER_ARGUMENTS}`].join("\n"));
  const options = { attachments: {}, webPush: {}, ...read.value };
  const running = await server.startServer(options).catch((error) => {
    const problem = error instanceof OptionsError ? error.message : listenProblem(error, options);
    throw problem === undefined ? error : new SetupError(problem);
  });
  // Its disk may be full.
  await server.seedWelcome(running).catch((error) => console.error(error));

  const home = server.addressesOf(running.settings.host, running.port).here;
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
  closeOnSignal({ ...running, close: () => Promise.all([vite.close(), running.close()]).then(() => undefined) });
  console.log(`The topic server is at ${home}`);
  vite.printUrls();
});
