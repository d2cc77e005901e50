import { describe, expect, it } from "vitest";
import { addressesOf } from "../../src/server";

describe("addressesOf", () => {
  const known = { netmask: "", mac: "", cidr: null };
  const interfaces = {
    lo: [{ ...known, address: "127.0.0.1", family: "IPv4" as const, internal: true }],
    eth0: [
      { ...known, address: "192.168.1.5", family: "IPv4" as const, internal: false },
      { ...known, address: "fe80::1", family: "IPv6" as const, internal: false, scopeid: 1 },
    ],
  };

  it("calls loopback localhost", () => {
    expect(addressesOf("127.0.0.1", 8080, interfaces)).toEqual({ here: "http://localhost:8080", elsewhere: [] });
  });

  it("lists the addresses that a phone can open when the server listens on all", () => {
    const expected = { here: "http://localhost:8080", elsewhere: ["http://192.168.1.5:8080"] };
    expect(addressesOf("0.0.0.0", 8080, interfaces)).toEqual(expected);
  });

  it("puts an IPv6 address in brackets", () => {
    expect(addressesOf("fd00::5", 8080, interfaces).here).toBe("http://[fd00::5]:8080");
  });
});
