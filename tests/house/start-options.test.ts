import { describe, expect, it } from "vitest";
import { addressesOf, readStartOptions } from "../../scripts/start-options.mjs";

describe("readStartOptions", () => {
  it("asks for nothing by itself", () => {
    expect(readStartOptions([], {})).toEqual({});
  });

  it("takes the port from PORT", () => {
    expect(readStartOptions([], { PORT: "9000" })).toEqual({ port: 9000 });
  });

  it("prefers --port to PORT", () => {
    expect(readStartOptions(["--port", "9001"], { PORT: "9000" })).toEqual({ port: 9001 });
  });

  it("takes an empty PORT for none", () => {
    expect(readStartOptions([], { PORT: "" })).toEqual({});
  });

  it("reads --host and --config, with = or without", () => {
    expect(readStartOptions(["--host=0.0.0.0", "--config", "a.json"], {})).toEqual({
      host: "0.0.0.0",
      config: "a.json",
    });
  });

  it.each(["eighty", "-1", "65536", "80.5"])("refuses %s as a port, in words", (port) => {
    expect(() => readStartOptions([`--port=${port}`], {})).toThrow(
      `A port is a whole number from 0 to 65535, not ${port}.`,
    );
  });

  it("refuses what it does not know, and says how it is used", () => {
    expect(() => readStartOptions(["--prot", "9"], {})).toThrow(/--prot[\s\S]*Usage: npm start/);
  });
});

describe("addressesOf", () => {
  const interfaces = {
    lo: [{ address: "127.0.0.1", family: "IPv4" as const, internal: true, netmask: "", mac: "", cidr: null }],
    eth0: [
      { address: "192.168.1.5", family: "IPv4" as const, internal: false, netmask: "", mac: "", cidr: null },
      { address: "fe80::1", family: "IPv6" as const, internal: false, netmask: "", mac: "", cidr: null, scopeid: 1 },
    ],
  };

  it("calls loopback localhost, as browsers treat that as secure", () => {
    expect(addressesOf("127.0.0.1", 8080, interfaces)).toEqual({ here: "http://localhost:8080/", elsewhere: [] });
  });

  it("names the addresses that a phone can open when the server listens on all", () => {
    expect(addressesOf("0.0.0.0", 8080, interfaces)).toEqual({
      here: "http://localhost:8080/",
      elsewhere: ["http://192.168.1.5:8080/"],
    });
  });

  it("puts an IPv6 address in brackets", () => {
    expect(addressesOf("fd00::5", 8080, interfaces).here).toBe("http://[fd00::5]:8080/");
  });
});
