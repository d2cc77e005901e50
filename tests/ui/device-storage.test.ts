import { afterEach, expect, test, vi } from "vitest";
import { keptHost } from "../../src/ui/state/device-storage";

afterEach(() => void vi.unstubAllGlobals());

test.each([
  ["nothing", null, {}],
  ["no JSON", "{", {}],
  ["null", "null", {}],
  ["a number", "5", {}],
  ["values of other types", '{"server":5,"style":"--accent"}', {}],
  ["colours of other types", '{"style":{"--accent":{},"--on-accent":null}}', {}],
  ["properties that are no colours", '{"style":{"display":"none","--accent":"red"}}', { style: { "--accent": "red" } }],
  ["what the app writes", '{"server":"https://one.example"}', { server: "https://one.example" }],
])("a page starts with %s stored as what its host has set", (_, text, known) => {
  vi.stubGlobal("localStorage", { getItem: () => text });
  expect(keptHost()).toEqual(known);
});
