// The topic server alone: npm run server -- [--port N] [--host ADDRESS] [--config FILE]
import { closeOnSignal, listenProblem, OptionsError, readCommandLine, SERVER_ARGUMENTS, startServer } from "./index";

/** Ends with sentences for the operator. */
function refuse(...lines: readonly string[]): never {
  for (const line of lines) console.error(line);
  process.exit(1);
}

const read = await readCommandLine(process.argv.slice(2), process.env);
if (!read.ok) refuse(...read.error, `Usage: npm run server -- ${SERVER_ARGUMENTS}`);
const server = await startServer(read.value).catch((error: unknown) => {
  if (error instanceof OptionsError) refuse(...error.problems);
  const problem = listenProblem(error, read.value);
  if (problem === undefined) throw error;
  return refuse(problem);
});
closeOnSignal(server);

console.log(`The topic server is at ${server.url}`);
console.log(`  curl -d "Hello" ${server.url}/mytopic`);
console.log(`  curl -s ${server.url}/mytopic/json`);
if (server.settings.stateFile === undefined) {
  console.log("It keeps messages in memory only: they go when it stops. Ctrl-C stops it.");
}
