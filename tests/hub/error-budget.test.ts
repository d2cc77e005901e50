import { describe, expect, test } from "vitest";
import { Bans } from "../newer-server";
import { errorAnswer, htmlAnswer, pollAnswer, type Intercept } from "./fake-server";
import { World, type HubOptions } from "./world";
import { isLong } from "../long";

const TOPICS = ["a", "b", "c", "d", "e", "f"];
const CREDENTIALS = { kind: "basic", user: "ada", password: "s3cret" } as const;

/** Answers as `how` does, and has its errors counted. */
function counted(world: World, bans: Bans, how: Intercept): Intercept {
  return (request) => {
    const answer = how(request);
    if (!(answer instanceof Response) || answer.status >= 500) return answer;
    void answer
      .clone()
      .text()
      .then((text) => {
        const code = Number(/"code":(\d+)/.exec(text)?.[1]);
        if (answer.status >= 400 || text.includes('"error"')) bans.note(world.time.now(), code);
      });
    return answer;
  };
}

const refusing = (code: number): [string, Intercept] => {
  const status = Math.floor(code / 100);
  return [`${status} with ${code}`, () => errorAnswer(status, code)];
};

/** Codes in groups that the app can't tell apart (`failureOf`, `reactionTo`). */
const CODES: [number, ...number[]][] = [
  [40101, 40199],
  [40301, 40399],
  [40401],
  [42901, 42902, 42906, 42907, 42908, 42910, 42999],
  [42903],
  [42904, 42911],
  [42905],
  [42909],
  [40008],
  [40001, 40007, 40009, 40010, 40016, 40099, 40499, 41301, 41801, 42201, 45101],
];

const page = (status: number): [string, Intercept] => [`pages with ${status}`, () => htmlAnswer(status)];

const isPoll = ({ searchParams }: URL): boolean => searchParams.get("poll") === "1";

const OTHER_WAYS: [string, Intercept][] = [
  [
    "error lines in polls that are answered",
    ({ url }) => (isPoll(url) ? pollAnswer('{"code":42905,"http":429,"error":"limit reached"}\n') : undefined),
  ],
  ...[40301, 42903].map((code): [string, Intercept] => [
    `error lines with ${code} in streams that are answered`,
    ({ url }) =>
      isPoll(url) || url.pathname.startsWith("/v1/")
        ? undefined
        : pollAnswer(`{"code":${code},"http":${Math.floor(code / 100)},"error":"refused"}\n`),
  ]),
  ["polls alone that are refused", ({ url }) => (isPoll(url) ? errorAnswer(429, 42905) : undefined)],
  ["streams alone that are refused", ({ url }) => (isPoll(url) ? undefined : errorAnswer(400, 40010))],
  [
    "health and statistics alone that are refused",
    ({ url }) => (url.pathname.startsWith("/v1/") ? htmlAnswer(403) : undefined),
  ],
  ["lists alone that are refused", ({ url }) => (url.pathname.includes(",") ? errorAnswer(400, 40099) : undefined)],
  [
    "every other topic that is refused",
    ({ url }) => (/[ace]/.test(url.pathname.split("/")[1] ?? "") ? errorAnswer(403, 40301) : undefined),
  ],
  [
    "streams that are cut, and then refused",
    ({ url }) => (isPoll(url) ? errorAnswer(401, 40101) : errorAnswer(429, 42903)),
  ],
];

const ALL_WAYS = [...CODES.flat().map(refusing), ...[400, 401, 403, 404, 429].map(page), ...OTHER_WAYS];
/** One of each group. The short run tries these with many topics, and the other ways where no stream gets through. */
const WHOLLY = [...CODES.map(([code]) => refusing(code)), page(403)];
const KINDS = [...WHOLLY, ...OTHER_WAYS];

/** A page in sight at a server that refuses, with some topics of nobody and some of a user. */
async function refused(how: Intercept, options: HubOptions & { many?: boolean; blocksStreams?: boolean } = {}) {
  const world = await World.make();
  world.server.users.push(CREDENTIALS);
  const topics = options.many ? Array.from({ length: 150 }, (_, at) => `${TOPICS[at % 6] ?? ""}${at}`) : TOPICS;
  const { hub, tab } = await world.subscribed(topics, {}, options);
  await tab.send("subscribe", {
    address: world.server.address,
    topics: ["own"],
    history: "all",
    credentials: CREDENTIALS,
  });
  const look = (): void => {
    void tab.send("ping", { inSight: true });
    world.time.setTimer(look, 10_000);
  };
  look();
  await world.time.advance(30_000);
  const errors = new Bans();
  world.server.intercept = counted(world, errors, how);
  if (options.blocksStreams) {
    world.server.blocksUpgrades = true;
    world.server.buffers.add("json").add("sse");
  }
  world.server.cut();
  return { world, hub, tab, errors };
}

describe("causes fewer than 50 errors in any ten minutes, by", () => {
  test.each(isLong ? ALL_WAYS : KINDS)("%s", async (_, how) => {
    const { world, errors } = await refused(how);
    await world.time.advance(1_200_000);
    expect(errors.all).toBeGreaterThan(0);
    expect(errors.worst).toBeLessThan(50);
  });

  test.each(isLong ? KINDS : WHOLLY)("%s, of 150 topics", async (_, how) => {
    const { world, errors } = await refused(how, { many: true });
    await world.time.advance(1_200_000);
    expect(errors.worst).toBeLessThan(50);
  });

  test.each(isLong ? KINDS : OTHER_WAYS)(
    "%s, where no stream gets through, messages come and the server comes and goes",
    async (_, how) => {
      const { world, errors } = await refused(how, { blocksStreams: true });
      for (let seconds = 0; seconds < 1_200; seconds += 7) {
        world.server.published = (world.server.published ?? 0) + 1;
        if (seconds % 70 === 0) world.server.down = !world.server.down;
        if (seconds % 35 === 0) world.server.cut();
        await world.time.advance(7_000);
      }
      expect(errors.worst).toBeLessThan(50);
    },
  );
});

test("a topic refused and then allowed is received again within ten minutes", async () => {
  const { world, tab } = await refused(() => errorAnswer(429, 42901));
  await world.time.advance(1_800_000);
  world.server.intercept = undefined;
  world.server.publish("a", "at last");
  await world.time.advance(600_000);
  expect(await world.feed()).toEqual(["at last"]);
  expect(tab.newestStatus?.state.kind).toBe("live");
});

test("several leading hubs in turn share one count", async () => {
  const { world, hub, errors } = await refused(() => errorAnswer(429, 42911), { many: true });
  let leading = hub;
  for (let turn = 0; turn < 6; turn++) {
    await world.time.advance(90_000);
    leading.stop();
    leading = world.startHub();
    void world.openTab(leading).send("ping", { inSight: true });
  }
  await world.time.advance(90_000);
  expect(errors.all).toBeGreaterThan(0);
  expect(errors.worst).toBeLessThan(50);
});
