import { expect, test } from "vitest";
import { formatInvitation } from "../../src/contract";
import type { ServerAddress } from "../../src/protocol";
import { deviceName, invitationIn, invitationLink } from "../../src/ui/devices/pairing";
import { stubPage } from "./stub-page";

test("an invitation is found in its link, pasted with blanks or percent-encoded, and in no other text", () => {
  const address = "http://box:8080/below" as ServerAddress;
  const invitation = formatInvitation({
    address,
    secret: "AbCdEfGhIjKlMnOpQrSt-_",
    publicKey: "B".repeat(87),
    untilMs: 1_795_862_400_000,
  });
  stubPage("https://app.example/here/?a#/~settings/devices");
  const link = invitationLink(invitation);
  expect(link).toMatch(/^https:\/\/app\.example\/here\/#\/~open\//);
  for (const text of [link, ` ${link}\n`, link.replaceAll(":", "%3A").replace("https%3A", "https:")]) {
    expect(invitationIn(text)).toBe(invitation);
  }
  for (const text of ["", "hello", "https://app.example/#/backups", link.replace("devices:", "setup:")]) {
    expect(invitationIn(text), text).toBeUndefined();
  }
});

test("a device is named after its system", () => {
  const names = {
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36": "Linux",
    "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0": "Windows",
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36": "Android",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) Version/26.0 Mobile/15E148 Safari/604.1": "iPhone",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:143.0) Gecko/20100101 Firefox/143.0": "Mac",
    "Something/1": "Device",
  };
  for (const [agent, name] of Object.entries(names)) expect(deviceName(agent)).toBe(name);
});
