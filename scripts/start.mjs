// npm start: sets up what is missing, then runs the topic server with the app until Ctrl-C.
import { join } from "node:path";
import { SetupError, ensureBuilt, ensurePackages, withReadableErrors, requireNode } from "./setup.mjs";
import { ROOT } from "./source-hash.mjs";

await withReadableErrors(async () => {
  requireNode();
  await ensurePackages();
  // Import this only now, as TypeScript needs the packages that were just installed.
  const { register } = await import("tsx/esm/api");
  register();
  const { OptionsError, SERVER_ARGUMENTS, addressesOf, closeOnSignal, listenProblem, ...server } =
    await import("../src/server/index.ts");

  const read = await server.readCommandLine(process.argv.slice(2), process.env);
  if (!read.ok) throw new SetupError([...read.error, `Usage: npm start -- ${SERVER_ARGUMENTS}`].join("\n"));
  await ensureBuilt();
  const options = { attachments: {}, webPush: {}, ...read.value, app: join(ROOT, "dist") };
  const running = await server.startServer(options).catch((error) => {
    const problem = error instanceof OptionsError ? error.message : listenProblem(error, options);
    throw problem === undefined ? error : new SetupError(problem);
  });
  closeOnSignal(running);
  // Its disk may be full.
  await server.seedWelcome(running).catch((error) => console.error(error));

  const { here, elsewhere } = addressesOf(running.settings.host, running.port);
  console.log(`Earshot is at ${here}/`);
  for (const address of elsewhere) console.log(`On a phone in the same network: ${address}/`);
  console.log(`Send it a message from another terminal:\n\n  curl -d "Hello" ${new URL(here).host}/mytopic\n`);
  console.log(
    running.settings.stateFile === undefined
      ? "This server keeps messages in memory only: they go when it stops. Ctrl-C stops it."
      : "Ctrl-C stops it.",
  );
});
