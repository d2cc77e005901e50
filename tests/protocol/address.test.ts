import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addressHost, isHttps, parseServerAddress, webSocketAddress, type ServerAddress } from "../../src/protocol";

describe("server addresses", () => {
  it.each([
    ["ntfy.sh", "https://ntfy.sh"],
    ["  HTTPS://Ntfy.SH/ ", "https://ntfy.sh"],
    ["https://host:443", "https://host"],
    ["http://host:80/", "http://host"],
    ["http://host:443", "http://host:443"],
    ["host:8080", "https://host:8080"],
    ["http://192.168.1.5:8080", "http://192.168.1.5:8080"],
    ["https://[::1]:8080/", "https://[::1]:8080"],
    ["https://host/push//", "https://host/push"],
    ["https://host/Push", "https://host/Push"],
    ["https://host/~me/ü%2F", "https://host/~me/%C3%BC%2F"],
    ["https://müller.example", "https://xn--mller-kva.example"],
    ["pi_4.local", "https://pi_4.local"],
  ])("normalises %j to %s", (text, address) => {
    expect(parseServerAddress(text)).toEqual({ ok: true, value: address });
  });

  it.each([
    ["", "empty"],
    ["   ", "empty"],
    ["ftp://host", "scheme"],
    ["javascript://host", "scheme"],
    ["ws://host", "scheme"],
    ["javascript:alert(1)", "not-an-address"],
    ["https://ada:s3cret@host", "credentials"],
    ["ada@host", "credentials"],
    ["https://@host", "credentials"],
    ["https://host?x=1", "query"],
    ["https://host/#/topic", "query"],
    ["https://host?", "query"],
    ["https://", "not-an-address"],
    ["https:///host", "not-an-address"],
    ["//host", "not-an-address"],
    ["https:\\\\host", "not-an-address"],
    ["ho st", "not-an-address"],
    ["https://host/$(reboot)", "path"],
    ["https://host/a'b", "path"],
    ["https://host/a;b", "path"],
    ["https://host/a,b", "path"],
    ["ho\u0000st", "not-an-address"],
    ["host:99999", "not-an-address"],
    ["~host", "not-an-address"],
    ["https://host..", "not-an-address"],
    ["ntfy.sh.", "not-an-address"],
    ["ntfy.sh.:8443/push", "not-an-address"],
    ["https://.", "not-an-address"],
    ["a,b", "not-an-address"],
    ["h".repeat(1001), "not-an-address"],
  ])("refuses %j as %s", (text, kind) => {
    expect(parseServerAddress(text)).toEqual({ ok: false, error: { kind } });
  });

  it("reads its own answers as they are, and never throws", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.domain(),
          fc.ipV6().map((ip) => `http://[${ip}]:8080/a`),
        ),
        (text) => {
          const parsed = parseServerAddress(text);
          if (parsed.ok) expect(parseServerAddress(parsed.value)).toEqual(parsed);
        },
      ),
    );
  });

  it("tells host, scheme and WebSocket address", () => {
    const address = "https://host:8443/push" as ServerAddress;
    expect(addressHost(address)).toBe("host:8443/push");
    expect(isHttps(address)).toBe(true);
    expect(isHttps("http://host" as ServerAddress)).toBe(false);
    expect(webSocketAddress(address)).toBe("wss://host:8443/push");
    expect(webSocketAddress("http://http.example" as ServerAddress)).toBe("ws://http.example");
  });
});
