import { expect, test } from "vitest";
import { readNames } from "../../src/ui/topics/subscribe/read-names";

test("names may stand between commas, semicolons and lines, each once", () => {
  expect(readNames("a, b;c , a\nd,,;b")).toEqual({ named: [{ topics: ["a", "b", "c", "d"] }], faults: [] });
});

test("a name with spaces may be one or several, and is asked about", () => {
  const { named, faults } = readNames("my garage, door");
  expect(named).toEqual([{ topics: ["door"] }]);
  expect(faults.map(({ typed }) => typed)).toEqual(["my garage"]);
});

test("names after an address are of its server, and one after a blank is of the form's", () => {
  expect(readNames("https://one.example/a,b c, two.example/d").named).toEqual([
    { address: "https://one.example", topics: ["a", "b"] },
    { topics: ["c"] },
    { address: "https://two.example", isAssumed: true, topics: ["d"] },
  ]);
});

test("a scheme that was typed once holds for all topics of the server", () => {
  expect(readNames("nas.local/a nas.local/b").named).toEqual([
    { address: "https://nas.local", isAssumed: true, topics: ["a", "b"] },
  ]);
  for (const typed of ["nas.local/a https://nas.local/b", "https://nas.local/a nas.local/b"]) {
    expect(readNames(typed).named, typed).toEqual([{ address: "https://nas.local", topics: ["a", "b"] }]);
  }
});

test("the name in a link is used for that link's topic only", () => {
  const link = (topic: string, name: string) => `ntfy://one.example/${topic}?display=${name}`;
  expect(readNames(link("a", "Day")).named).toMatchObject([{ topics: ["a"], displayName: "Day" }]);
  const [both] = readNames(`${link("a", "Day")} ${link("b", "Night")}`).named;
  expect(both).toMatchObject({ topics: ["a", "b"] });
  expect(both?.displayName).toBeUndefined();
});

test("an invalid name is reported as typed, and the others are read", () => {
  const { named, faults } = readNames("a gr\u00f6\u00dfe ftp://x/y");
  expect(named).toEqual([{ topics: ["a"] }]);
  expect(faults.map(({ typed }) => typed)).toEqual(["größe", "ftp://x/y"]);
});
