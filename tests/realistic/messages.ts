// The topics of a household and a small company after four days: some 1,100 messages in 12 topics on two servers. They
// are always the same, and their times lie before a given moment.
import type { LocalMessage } from "../../src/server";
import { drawFrontDoor } from "./front-door";

/** A message with the server that has it: 0 is the one that serves the app. */
export type RealisticMessage = LocalMessage & { server: 0 | 1; time: number };

/** The topics of each server. `alerts` is on both. */
export const REALISTIC_TOPICS: readonly (readonly string[])[] = [
  ["alerts", "backups", "ci", "deploys", "doorbell", "home", "nas", "uptime"],
  ["alerts", "calendar", "cron", "weather"],
];

const HOUR_S = 3600;
const SPAN_S = 4 * 24 * HOUR_S;

/** Pseudo-random numbers from 0 to below 1, always the same (a linear congruential generator). */
function sequence(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296) / 4_294_967_296;
}

type Kind = (
  at: number,
  pick: <Item>(from: readonly [Item, ...Item[]]) => Item,
  random: () => number,
) => Partial<LocalMessage>;

interface Source {
  server: 0 | 1;
  topic: string;
  count: number;
  of: Kind;
}

const whole = (random: () => number, from: number, to: number): number => from + Math.floor(random() * (to - from + 1));

const SMART_LOG = `ID# ATTRIBUTE_NAME          VALUE WORST THRESH RAW_VALUE
  5 Reallocated_Sector_Ct   096   096   010    14
  9 Power_On_Hours          071   071   000    25841
194 Temperature_Celsius     064   048   000    36
197 Current_Pending_Sector  100   100   000    0
`;

function manifest(at: number): string {
  const services = { shop: `2.${String(at)}.0`, api: `2.${String(at)}.0`, billing: `2.${String(at - 1)}.3` };
  return JSON.stringify({ release: at, services, migrations: [] }, null, 2);
}

/** A PDF of one empty page (ISO 32000-1). */
const REPORT = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]>>endobj
trailer<</Root 1 0 R>>
%%EOF
`;

const SOURCES: readonly Source[] = [
  {
    server: 0,
    topic: "uptime",
    count: 420,
    of: (at, pick, random) => {
      const host = pick(["web-1", "web-2", "mail", "git"]);
      if (at % 70 === 0)
        return {
          title: `${host} is DOWN`,
          message: "HTTP 503 Service Unavailable",
          priority: 5,
          tags: ["rotating_light"],
        };
      if (at % 70 === 1)
        return {
          title: `${host} is up again`,
          message: `after ${String(whole(random, 1, 9))} minutes`,
          priority: 3,
          tags: ["white_check_mark"],
        };
      return { message: `${host} answered in ${String(whole(random, 18, 240))} ms (HTTP 200)`, priority: 2 };
    },
  },
  {
    server: 0,
    topic: "alerts",
    count: 160,
    of: (at, pick, random) => {
      const rule = pick(["High memory use", "Disk almost full", "Slow queries", "Certificate expires soon"]);
      const host = pick(["db-1", "db-2", "cache-1"]);
      return {
        title: `[${at % 3 === 0 ? "RESOLVED" : "FIRING"}:1] ${rule} (${host})`,
        message: `**${rule}** on \`${host}\`\n\n- value: ${String(whole(random, 71, 99))} %\n- since: ${String(whole(random, 2, 40))} minutes`,
        markdown: true,
        priority: at % 3 === 0 ? 2 : 4,
        tags: [at % 3 === 0 ? "white_check_mark" : "warning", "grafana", host],
        click: "https://grafana.example/d/abc",
      };
    },
  },
  {
    server: 0,
    topic: "ci",
    count: 120,
    of: (at, pick, random) => {
      const branch = pick(["main", "feature/search", "fix/time-zones", "renovate/all"]);
      const failed = at % 6 === 0;
      return {
        title: `${failed ? "Failed" : "Passed"}: ${branch} #${String(4000 + at)}`,
        message: failed
          ? "src/parse.ts:41:17 error TS2345: Argument of type 'string | undefined' is not assignable to parameter of type 'string'.\n\n2 of 1,804 tests failed"
          : `1,804 tests in ${String(whole(random, 3, 6))} min ${String(whole(random, 10, 59))} s`,
        priority: failed ? 4 : 3,
        tags: [failed ? "x" : "heavy_check_mark", "ci"],
        actions: [
          { action: "view" as const, label: "Open the run", url: `https://ci.example/runs/${String(4000 + at)}` },
        ],
      };
    },
  },
  {
    server: 0,
    topic: "backups",
    count: 40,
    of: (at, pick, random) =>
      at % 13 === 0
        ? {
            title: "Backup of the photos failed",
            message:
              "rsync: connection unexpectedly closed (0 bytes received so far) [sender]\nrsync error: error in rsync protocol data stream (code 12) at io.c(232) [sender=3.2.7]",
            priority: 5,
            tags: ["rotating_light", "backup"],
          }
        : {
            title: `Backup of the ${pick(["photos", "documents", "mail"])} done`,
            message: JSON.stringify({
              files: whole(random, 20, 4000),
              bytes: whole(random, 1e6, 9e9),
              seconds: whole(random, 20, 900),
              ok: true,
            }),
            tags: ["floppy_disk"],
            priority: 2,
          },
  },
  {
    server: 0,
    topic: "home",
    count: 110,
    of: (at, pick, random) =>
      at % 4 === 0
        ? {
            message: pick([
              "The washing machine is done",
              "The window in the bedroom is open and it rains",
              "Battery of the smoke detector is low",
            ]),
          }
        : {
            message: `Temperature in the ${pick(["kitchen", "bedroom", "cellar"])}: ${String(whole(random, 17, 24))}.${String(whole(random, 0, 9))} °C`,
            priority: 1,
          },
  },
  {
    server: 0,
    topic: "doorbell",
    count: 18,
    of: (at) => {
      const isParcel = at % 3 === 0;
      return {
        title: isParcel ? "Parcel at the door" : "Somebody is at the door",
        message: "triggered",
        priority: 4,
        tags: ["bell"],
        ...(at % 2 === 0
          ? { file: { name: `front-door-${String(at)}.png`, content: drawFrontDoor(at / 18, isParcel) } }
          : {}),
      };
    },
  },
  {
    server: 0,
    topic: "nas",
    count: 60,
    of: (at, _pick, random) => ({
      title: at % 20 === 0 ? "Volume 1 is degraded" : "Scrub",
      message:
        at % 20 === 0
          ? "Disk 3 reports 14 reallocated sectors."
          : `Scrub of volume 1: ${String(whole(random, 1, 100))} %`,
      priority: at % 20 === 0 ? 5 : 2,
      tags: ["nas"],
      ...(at % 20 === 0 ? { file: { name: "smart-disk-3.txt", content: Buffer.from(SMART_LOG) } } : {}),
    }),
  },
  {
    server: 0,
    topic: "deploys",
    count: 45,
    of: (at, pick) => ({
      title: `${pick(["shop", "api", "billing"])} ${at % 9 === 0 ? "rolled back" : "deployed"}`,
      message: `Version 2.${String(at)}.0 by ${pick(["Ada", "Grace", "Linus"])}`,
      tags: [at % 9 === 0 ? "rewind" : "rocket"],
      priority: at % 9 === 0 ? 4 : 3,
      ...(at % 9 === 4 ? { file: { name: "manifest.json", content: Buffer.from(manifest(at)) } } : {}),
      ...(at % 9 === 0
        ? {
            actions: [
              { action: "http" as const, label: "Deploy again", url: "https://deploy.example/again", method: "POST" },
            ],
          }
        : {}),
    }),
  },
  {
    server: 1,
    topic: "cron",
    count: 90,
    of: (at, pick, random) => ({
      message: `${pick(["logrotate", "certbot renew", "apt update"])} finished with status ${at % 30 === 0 ? "1" : "0"} in ${String(whole(random, 1, 59))} s`,
      priority: at % 30 === 0 ? 4 : 2,
    }),
  },
  {
    server: 1,
    topic: "weather",
    count: 16,
    of: (at, pick) => ({
      title: pick(["Rain from 15:00", "Frost tonight", "Storm warning for the coast"]),
      message: "Issued by the weather service of the state; the next report comes in six hours.",
      tags: ["umbrella"],
      ...(at % 5 === 0 ? { file: { name: "report.pdf", content: Buffer.from(REPORT, "latin1") } } : {}),
    }),
  },
  {
    server: 1,
    topic: "calendar",
    count: 12,
    of: (_, pick) => ({
      title: pick(["Dentist at 9:30", "Call with the bank", "Birthday of Jo"]),
      message: "in 30 minutes",
      tags: ["calendar"],
      click: "https://calendar.example/",
    }),
  },
  {
    server: 1,
    topic: "alerts",
    count: 24,
    of: (at) => ({
      title: at % 2 ? "Door of the server room is open" : "Door of the server room is closed",
      message: "Sensor 2",
      priority: at % 2 ? 4 : 3,
      tags: ["door"],
    }),
  },
];

/** All messages, the oldest first. `nowS` is Unix seconds; the newest messages come just before it. */
export function realisticMessages(nowS: number): RealisticMessage[] {
  const messages = SOURCES.flatMap(({ server, topic, count, of }, source) => {
    const random = sequence(source + 1);
    const pick = <Item>(from: readonly [Item, ...Item[]]): Item => from[Math.floor(random() * from.length)] ?? from[0];
    return Array.from({ length: count }, (_, at): RealisticMessage => {
      const time = Math.floor(nowS - SPAN_S + ((at + random()) * SPAN_S) / count) - 60;
      return { server, topic, time, ...of(at, pick, random) };
    });
  });
  return messages.sort((a, b) => a.time - b.time);
}
