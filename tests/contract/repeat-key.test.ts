import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MASK, maskText, repeatKey } from "../../src/contract";
import type { MessageEvent } from "../../src/protocol";

const event = (message: string, more: Partial<MessageEvent> = {}): MessageEvent => ({
  id: "abcdefghijkl",
  time: 1_700_000_000,
  event: "message",
  topic: "t",
  message,
  ...more,
});
const isRepeat = (a: string, b: string) => repeatKey(event(a)) === repeatKey(event(b));

describe("messages repeat when they differ only in", () => {
  test.each([
    ["a percentage", "Disk is 91 % full", "Disk is 93 % full"],
    ["a number with a sign", "It is -5 °C", "It is 12.5 °C"],
    ["a number with thousands separators", "1,024 files", "1,048,576 files"],
    ["a decimal", "Load 1.52", "Load 0.97"],
    ["a number with its unit behind a space", "12 GB left", "9 GB left"],
    ["a duration behind a space", "took 12 min", "took 9 min"],
    ["a number with its unit", "12GB left", "9GB left"],
    ["a clock time", "Backup ended at 02:14", "Backup ended at 23:59:01.5"],
    ["a clock time with am or pm", "at 2:14am", "at 11:59pm"],
    ["an ISO date", "since 2026-11-20", "since 2026-11-21"],
    ["an ISO time", "since 2026-11-20T10:00:00Z", "since 2026-11-21T10:00:00.123+01:00"],
    ["a date in a name", "backup-2026-11-20.tar.gz written", "backup-2026-11-21.tar.gz written"],
    ["a compact date in a name", "backup_20261120.tar.gz", "backup_20261121.tar.gz"],
    ["a date with dots", "am 20.11.2026", "am 3.12.2026"],
    ["a duration", "took 3m20s", "took 45s"],
    ["a duration with a fraction", "answered in 250ms", "answered in 1.5s"],
    ["a UUID", "Job 0b8a9c1e-1f2d-4c3b-8a7e-5d6f7a8b9c0d", "Job 5f0e1d2c-3b4a-4958-8675-4a3b2c1d0e0f"],
    ["a hash", "Deployed 3f2a91c", "Deployed 90abc12"],
    ["a number with a unit of energy", "Used 5kWh", "Used 7kWh"],
    ["a hash that is longer", "Deployed 3f2a91c0d1e2", "Deployed 90abc12f"],
    ["the id of a pod", "web-7d9f8b6c5d restarted", "web-6c8e7a5b4d restarted"],
    ["a time with seconds", "at 02:14:05", "at 23:59:01"],
    ["a time after a status", "HTTP 500 after 30 ms", "HTTP 500 after 7 ms"],
    ["a duration after a status word", "Status: 30ms", "Status: 7ms"],
    ["a time of day after a status word", "Status 19:34", "Status 20:11"],
    ["how full a numbered thing is", "Disk 91 % full", "Disk 93 % full"],
    ["how warm it is there", "Sensor 21°", "Sensor 22°"],
    ["a decimal after the word for a thing", "Sensor 21.5", "Sensor 22.5"],
    ["a value of a numbered thing", "Disk 1: 91 % full", "Disk 1: 93 % full"],
  ])("%s", (_, a, b) => {
    expect(a).not.toBe(b);
    expect(isRepeat(a, b)).toBe(true);
  });
});

describe("messages do not repeat when they differ in", () => {
  test.each([
    ["a word", "Door opened", "Door closed"],
    ["a letter's case", "door opened", "Door opened"],
    ["a status", "HTTP 200", "HTTP 500"],
    ["a status after the version", "HTTP/1.1 200", "HTTP/1.1 500"],
    ["a status code", "status code: 404", "status code: 503"],
    ["a status in JSON", '{"status": 200}', '{"status": 500}'],
    ["a status with an equals sign", "status=200", "status=500"],
    ["a status in one word", "statusCode: 200", "statusCode: 500"],
    ["an exit code", "Job ended with exit code 1", "Job ended with exit code 2"],
    ["an exit code in one word", "exit_code=1", "exit_code=2"],
    ["what a job exited with", "exited with 137", "exited with 143"],
    ["the number of an error", "Error 5", "Error 7"],
    ["the number of an error, negative", "error -5", "error -7"],
    ["the number of an error, hexadecimal", "error 0x80070005", "error 0x80070006"],
    ["the number of an error, by the name of its variable", "errno 2", "errno 13"],
    ["the number of a signal", "killed by signal 9", "killed by signal 15"],
    ["what a command returned", "fsck returned 1", "fsck returned 4"],
    ["what a command returns", "fsck returns 1", "fsck returns 4"],
    ["a word of the letters of a hash", "defaced", "effaced"],
    ["a code too short for a hash", "Order a1b2c3", "Order d4e5f6"],
    ["the number of an error, in German", "Fehler 5", "Fehler 7"],
    ["the number of an error, in Chinese", "错误：404", "错误：500"],
    ["what was answered", "Response: 502", "Response: 503"],
    ["what a command returned, in short", "rsync rc=11", "rsync rc=23"],
    ["what a method of HTTP was answered", "GET /health 500", "GET /health 404"],
    ["how many there are", "5 files copied", "7 files copied"],
    ["the number of a build", "Build #128 failed", "Build #129 failed"],
    ["a fraction", "3/5 disks", "4/5 disks"],
    ["an address of memory", "at 0x7fff5694", "at 0x1f"],
    ["a port", "from 10.0.0.5:54321", "from 10.0.0.5:50000"],
    ["a number in the path of a link", "http://nas.local:8080/job/128", "http://nas.local:8080/job/1290"],
    ["a code with dots", "550 5.1.1 refused", "550 5.7.1 refused"],
    ["the number of a disk", "Disk 1 failed", "Disk 2 failed"],
    ["the number of a camera", "Camera 2: motion", "Camera 3: motion"],
    ["the number of a port", "port 443 closed", "port 8443 closed"],
    ["the number of a sensor, with its sign", "Sensor #4 lost", "Sensor #5 lost"],
    ["the number of a camera, in Arabic", "كاميرا 1 متصلة", "كاميرا 2 متصلة"],
    ["the number in a name", "disk2 is full", "disk3 is full"],
    ["the number after a hyphen in a name", "web-01 is down", "web-02 is down"],
    ["the number after an underscore in a name", "job_5 failed", "job_6 failed"],
    ["a version", "v1.2.3 is out", "v1.2.4 is out"],
    ["a name that begins with a digit", "3com is down", "4com is down"],
    ["an address", "10.0.0.5 is down", "10.0.0.6 is down"],
    ["an address of IPv6", "fe80::1 is down", "fe80::2 is down"],
    ["an address of IPv6 that begins with colons", "::1 is down", "::2 is down"],
    ["an address of IPv6 in brackets", "[2001:db8::10]:80 is down", "[2001:db8::11]:80 is down"],
    ["a whole address of IPv6", "2001:db8:1:2:3:4:5:6 is down", "2001:db8:1:2:3:4:5:7 is down"],
    ["an address of IPv6 that ends like one of IPv4", "::ffff:10.0.0.5 is down", "::ffff:10.0.0.6 is down"],
    ["the port in a link", "http://nas.local:8080/ is down", "http://nas.local:9090/ is down"],
    ["the port in a link with an address", "http://10.0.0.5:8080 is down", "http://10.0.0.5:9090 is down"],
    ["the address of a network card", "00:1b:63:84:45:e6 joined", "00:1b:63:84:45:e7 joined"],
    ["zero and another number", "0 errors", "5 errors"],
    ["zero and another number with a unit", "0GB left", "5GB left"],
    ["zero and another duration", "took 0s", "took 5s"],
    ["the unit", "5GB left", "5MB left"],
    ["whether there is a number", "Disk is full", "Disk 5 is full"],
  ])("%s", (_, a, b) => {
    expect(isRepeat(a, b)).toBe(false);
  });
});

test("numbers in a title differ as freely as those in a text, and a status in one counts", () => {
  const of = (title: string): string | undefined => repeatKey(event("", { title }));
  expect(of("Passed in 12 s")).toBe(of("Passed in 13 s"));
  expect(of("Passed in 12 s")).not.toBe(of("Failed in 12 s"));
  expect(of("HTTP 200")).not.toBe(of("HTTP 500"));
});

test("title and text are told apart", () => {
  expect(repeatKey(event("b", { title: "a" }))).not.toBe(repeatKey(event("a\nb")));
  expect(repeatKey(event("b", { title: "a\nc" }))).not.toBe(repeatKey(event("c\nb", { title: "a" })));
  expect(repeatKey(event("up 5 h", { title: "web-01" }))).toBe(repeatKey(event("up 6 h", { title: "web-01" })));
});

test("neither a message of over 4,000 characters nor one of bytes ever repeats", () => {
  expect(repeatKey(event("a".repeat(4_000)))).toBeDefined();
  expect(repeatKey(event("a".repeat(4_001)))).toBeUndefined();
  expect(repeatKey(event("a".repeat(4_000), { title: "b" }))).toBeUndefined();
  expect(repeatKey(event("/w==", { encoding: "base64" }))).toBeUndefined();
});

test("the decoded text of an encoded message counts, not its code", () => {
  expect(repeatKey(event(btoa("5 GB"), { encoding: "base64" }))).toBe(repeatKey(event("7 GB")));
});

/** Pieces that the rule treats in different ways, and what may stand between. */
const piece = fc.oneof(
  fc.constantFrom(
    ..."0 5 00 07 12 500 0.5 1,024 10.0.0.5 00:1b:63:84:45:e6 3f2a91c 20261120 2026-11-20 2026-11-20T10:00 10:30 9:05:01".split(
      " ",
    ),
    ..."0b8a9c1e-1f2d-4c3b-8a7e-5d6f7a8b9c0d 0x1f 3m20s 0s 5GB 0GB 3com a b GB T Z HTTP error status code with is disk2 web v1".split(
      " ",
    ),
  ),
  fc.string({ unit: fc.constantFrom(..."0123456789abcdefx"), maxLength: 9 }),
  fc.string({ unit: "grapheme", maxLength: 4 }),
);
const glue = fc.constantFrom("", " ", "-", "_", ".", ",", ":", "/", "+", " -", "(", "=", "\n", "é", MASK);
const hostile = fc
  .array(fc.tuple(piece, glue), { maxLength: 12 })
  .map((parts) => parts.map((part) => part.join("")).join(""));

describe("for any text", () => {
  test("masking twice is masking once", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const masked = maskText(text);
        expect(maskText(masked)).toBe(masked);
      }),
      { numRuns: 2_000, examples: [["10:30,0.5"], ["0000000,1,024"]] },
    );
  });

  test("everything but digits and their signs stays", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme" }).map((text) => text.replace(/\d/g, "")),
        (text) => {
          expect(maskText(text)).toBe(text);
        },
      ),
    );
  });

  test("texts that differ in a word differ", () => {
    const words = fc.array(fc.stringMatching(/^[g-z]{1,8}$/), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(words, words, fc.nat(), (a, b, n) => {
        fc.pre(a.join(" ") !== b.join(" "));
        expect(isRepeat(`${a.join(" ")} ${String(n)}`, `${b.join(" ")} ${String(n)}`)).toBe(false);
      }),
    );
  });

  test("replacing an amount by another makes no difference", () => {
    const words = fc.array(fc.constantFrom("memory", "is", "full", "at", "left"), { maxLength: 5 });
    const number = fc.integer({ min: 1 });
    fc.assert(
      fc.property(words, words, number, number, (before, after, a, b) => {
        const text = (n: number) => [...before, String(n), "%", ...after].join(" ");
        expect(isRepeat(text(a), text(b))).toBe(true);
      }),
    );
  });
});

/** A share of this time for each character would let the test run for minutes, were it to grow with the square. */
const LONG = 200_000;

test.each("1 1. 1, a a- a_1 1a 1m 1.1m f 1: 10:00 10:00. - error error/1 1.1.1.1a 0x 2026-11-20 00:".split(" "))(
  "a long text of %j alone is masked in linear time",
  (part) => {
    const text = part.repeat(LONG / part.length);
    for (const end of ["", "g", " 5"]) expect(maskText(text + end).length).toBeGreaterThan(0);
  },
);
