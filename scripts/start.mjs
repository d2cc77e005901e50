// npm start: sets up what is missing, then runs the topic server with the app until Ctrl-C.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { SetupError, ensureBuilt, ensurePackages, inWords, requireNode } from "./setup.mjs";
import { ROOT } from "./source-hash.mjs";
import { addressesOf, readStartOptions } from "./start-options.mjs";

/**
 * @param {string | undefined} path
 * @returns {Record<string, unknown>}
 */
function readConfig(path) {
  if (path === undefined) return {};
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw new SetupError(
      `The configuration ${path} can't be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/**
 * What the system said when the server could not listen, in words.
 * @param {NodeJS.ErrnoException} error
 * @param {{ host: string, port: number }} wanted
 */
function inPlainWords(error, { host, port }) {
  switch (error.code) {
    case "EADDRINUSE":
      return `Port ${port} is taken by another program. Choose one that is free: npm start -- --port ${port + 1}`;
    case "EACCES":
      return `This user may not listen on port ${port}. Choose one above 1023: npm start -- --port 8080`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return `This machine has no address ${host}. Use one of its own, 0.0.0.0 for all of them, or leave --host out.`;
    default:
      return undefined;
  }
}

await inWords(async () => {
  requireNode();
  const { config, ...asked } = readStartOptions(process.argv.slice(2), process.env);
  const options = { attachments: {}, ...readConfig(config), ...asked, app: join(ROOT, "dist") };
  await ensurePackages();
  await ensureBuilt();

  // Only now are there packages to run TypeScript with.
  const { register } = await import("tsx/esm/api");
  register();
  const { OptionsError, seedWelcome, startServer } = await import("../src/server/index.ts");

  const server = await startServer(options).catch((/** @type {NodeJS.ErrnoException} */ error) => {
    if (error instanceof OptionsError) throw new SetupError(error.message);
    const words = inPlainWords(error, { host: "127.0.0.1", port: 8080, ...options });
    throw words === undefined ? error : new SetupError(words);
  });
  await seedWelcome(server);

  const { here, elsewhere } = addressesOf(server.settings.host, server.port);
  const { host } = new URL(here);
  console.log(`Earshot is at ${here}`);
  for (const address of elsewhere) console.log(`On a phone in the same network: ${address}`);
  console.log(`Send it a message from another terminal:\n\n  curl -d "Hello" ${host}/mytopic\n`);
  console.log(
    server.settings.stateFile === undefined
      ? "This server keeps messages in memory only: they go when it stops. Ctrl-C stops it."
      : "Ctrl-C stops it.",
  );

  let stopping = false;
  const stop = () => {
    // Pressed again: at once.
    if (stopping) process.exit(1);
    stopping = true;
    void server.close();
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
});
