import { describe, expect, it } from "vitest";
import { isFixedWidth } from "../../src/ui/message/body/body-form";

const MACHINE = {
  "a log": `2026-11-21T02:14:07Z INFO starting backup
2026-11-21T02:14:09Z WARN repository is locked
2026-11-21T02:14:10Z ERROR giving up after 3 tries
2026-11-21T02:14:10Z INFO bye`,
  "a log of the system": `Nov 21 02:14:07 atlas sshd[312]: Accepted publickey for root
Nov 21 02:14:09 atlas sshd[312]: session opened
Nov 21 02:15:00 atlas cron[99]: (root) CMD (run-parts)
Nov 21 02:15:01 atlas kernel: eth0: link up`,
  "a log of long lines": Array.from({ length: 6 }, (_, at) => `2026-11-21 02:14:0${at} ERROR ${"x ".repeat(90)}`).join(
    "\n",
  ),
  columns: `Filesystem      Size  Used Avail Use% Mounted on
/dev/sda1        98G   89G  4.2G  96% /
tmpfs           3.9G     0  3.9G   0% /dev/shm
/dev/sdb1       1.8T  1.1T  640G  64% /data`,
  "names with values": `temperature: 21.5
humidity: 40
pressure = 1013
battery: 98 %`,
  "names of files": `backup-2026-11-20.tar.gz
backup-2026-11-21.tar.gz
etc/passwd
README.md`,
  "a table with a frame": `┌─────┬────┐
│ job │ ok │
├─────┼────┤
│ a   │ ✓  │
└─────┴────┘`,
  "a diff": `--- a/hosts
+++ b/hosts
@@ -1,3 +1,3 @@
-10.0.0.1 atlas
+10.0.0.2 atlas`,
  code: `def main():
    for disk in disks:
        check(disk)
    return 0`,
  "a trace with one long line": [
    ...Array.from({ length: 12 }, (_, at) => `  at step${String(at)} (/srv/app/run.js:${String(at)}:7)`),
    `  at ${"x".repeat(300)}`,
  ].join("\n"),
};

const WORDS = {
  "one line": "2026-11-21 02:14 INFO ok",
  "three lines": "a=1\nb=2\nc=3",
  "a list for the shop": "milk\nbread\nolive oil\ntwo onions\ncheese",
  verses: `The fog comes
on little cat feet.
It sits looking
over harbor and city
on silent haunches
and then moves on.`,
  "a wrapped letter": `Hello all,
the printer on the second floor is out of order until Monday, as the part that
broke has to be ordered. Until then the one in the kitchen can be used; ask
Mira for the code. Sorry about that.
Jo`,
  paragraphs: Array.from({ length: 6 }, () => `12:30 ${"all is well ".repeat(20)}`).join("\n"),
  "a letter with two times": `See you at the station.
The train leaves at 12:30 sharp.
It gets there at 14:10 or so.
Bring an umbrella.
Love`,
  "a list with dots": "- call the bank\n- feed the cat\n- water the plants\n- sleep",
  nothing: "",
};

describe("in the fixed-width face", () => {
  it.each(Object.entries(MACHINE))("%s", (_, text) => expect(isFixedWidth(text)).toBe(true));
});

describe("in the proportional face", () => {
  it.each(Object.entries(WORDS))("%s", (_, text) => expect(isFixedWidth(text)).toBe(false));
});

it("only the beginning of a long text is examined", () => {
  const log = "12:00:00 INFO all is well\n".repeat(40_000);
  expect(isFixedWidth(log)).toBe(true);
  expect(isFixedWidth(`${log}${"x".repeat(100_000)}`)).toBe(true);
});
