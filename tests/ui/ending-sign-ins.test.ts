import { expect, test } from "vitest";
import type { AccountRecord } from "../../src/client";
import { endingNext } from "../../src/ui/topics/server/sign-in.svelte";

const DAY_S = 86_400;
const account = (accountId: number, part: Partial<AccountRecord>): AccountRecord => ({
  accountId,
  serverId: 1,
  credentials: { kind: "token", token: "tk" },
  ...part,
});

/** Every server's clock shows this. */
const at = (seconds: number) => () => seconds * 1_000;

test("the next sign-in to end is announced within a week of its end", () => {
  const later = account(1, { expires: 8 * DAY_S });
  const soon = account(2, { expires: 6 * DAY_S });
  const sooner = account(3, { expires: 2 * DAY_S });
  const refused = account(4, { expires: DAY_S, refusedAtMs: 1 });
  expect(endingNext([account(5, {}), later, refused], at(0))).toBeUndefined();
  expect(endingNext([later, soon, sooner, refused], at(0))).toMatchObject(sooner);
  expect(endingNext([soon], at(30 * DAY_S))).toMatchObject(soon);
});

test("which sign-in ends next is counted by the clock of its server", () => {
  const here = account(1, { expires: 3 * DAY_S });
  const elsewhere = account(2, { serverId: 2, expires: 2 * DAY_S });
  const nowMs = (serverId: number): number => (serverId === 2 ? 0 : 2 * DAY_S * 1_000);
  expect(endingNext([elsewhere, here], nowMs)).toMatchObject({ accountId: 1, leftS: DAY_S });
});
