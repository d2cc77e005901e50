// `npm test` gives property tests a seed, so that a failure comes again when it is run again. Otherwise each run draws
// anew.
import { configureGlobal } from "fast-check";

const seed = process.env["PROPERTY_SEED"];
if (seed !== undefined) configureGlobal({ seed: Number(seed) });
