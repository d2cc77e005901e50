#!/usr/bin/env node
// The command `earshot` of the package. It checks Node's version before it loads anything that an older one can't
// read, and has no top-level await, which Node 12 can't read either.

/** Also in package.json's `engines`. */
const [MAJOR, MINOR] = [20, 19];

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major > MAJOR || (major === MAJOR && minor >= MINOR)) {
  void import("./cli").then(({ runEarshot }) => runEarshot(process.argv.slice(2)));
} else {
  console.error(`Earshot needs Node ${MAJOR}.${MINOR} or newer; this is ${process.versions.node}.`);
  process.exitCode = 1;
}
