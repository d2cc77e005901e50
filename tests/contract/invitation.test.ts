import { expect, test } from "vitest";
import { formatInvitation, type Invitation, parseInvitation } from "../../src/contract";
import type { ServerAddress } from "../../src/protocol";

const invitation: Invitation = {
  address: "https://ntfy.example:8443/below" as ServerAddress,
  publicKey: "B".repeat(87),
  secret: "AbCdEfGhIjKlMnOpQrSt-_",
  untilMs: 1_795_862_400_000,
};

test("an invitation is read as it was written, and a damaged one is none", () => {
  const text = formatInvitation(invitation);
  expect(parseInvitation(text)).toEqual(invitation);
  for (const damaged of ["", text.slice(1), text.replace("https", "gopher"), `${text}?x`, text.replace(".", "")]) {
    expect(parseInvitation(damaged), damaged).toBeUndefined();
  }
});
