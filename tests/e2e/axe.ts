import { expect, type CDPSession, type Page } from "@playwright/test";
import axe from "axe-core";

/** What axe reports of one broken rule. */
interface Violation {
  id: string;
  help: string;
  nodes: { html: string; failureSummary?: string }[];
}

/**
 * All rules of axe, including the size of touch targets, which is off by default. None that is on reads style sheets,
 * whose loading takes a fifth of the time.
 */
const EVERYTHING = {
  resultTypes: ["violations"],
  rules: { "target-size": { enabled: true } },
  preload: { assets: ["media"] },
};
/** The rules whose result depends on the colour scheme: the others need to run in only one scheme. */
const COLOURS = { resultTypes: ["violations"], runOnly: ["color-contrast", "link-in-text-block"] };
/** The rules whose result depends on the size of the screen: the others see the same markup at a further size. */
const SIZES = {
  resultTypes: ["violations"],
  runOnly: ["target-size", "scrollable-region-focusable"],
  rules: { "target-size": { enabled: true } },
};

/**
 * An isolated world for axe, separate from the page's scripts: the page's Content-Security-Policy and Trusted Types
 * stay in force without hindering it.
 */
interface World {
  session: CDPSession;
  /** The document that it belongs to; loading another document ends it. */
  loaderId: string;
  contextId: number;
}

const worlds = new WeakMap<Page, World>();

async function evaluate<Value>({ session, contextId }: World, expression: string): Promise<Value> {
  const { result, exceptionDetails } = await session.send("Runtime.evaluate", {
    expression,
    contextId,
    awaitPromise: true,
    returnByValue: true,
  });
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return result.value as Value;
}

/** The world of the page's present document, made when it is first needed. */
async function worldOf(page: Page): Promise<World> {
  const known = worlds.get(page);
  const session = known?.session ?? (await page.context().newCDPSession(page));
  const { frameTree } = await session.send("Page.getFrameTree");
  const { id: frameId, loaderId } = frameTree.frame;
  if (known?.loaderId === loaderId) return known;
  const { executionContextId } = await session.send("Page.createIsolatedWorld", { frameId, worldName: "axe" });
  const world = { session, loaderId, contextId: executionContextId };
  await evaluate(world, `${axe.source}; undefined`);
  worlds.set(page, world);
  return world;
}

async function run(world: World, options: object): Promise<string[]> {
  const violations = await evaluate<Violation[]>(
    world,
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations)`,
  );
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary = "" }) => `${id} (${help})\n${html}\n${failureSummary}`),
  );
}

/** All that axe objects to on the screen as it is now. */
export const objectionsNow = async (page: Page): Promise<string[]> => run(await worldOf(page), EVERYTHING);

/** All that axe objects to on the screen, light and dark. The page is in the light scheme afterwards. */
export async function objections(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: "light" });
  const found = await objectionsNow(page);
  const world = await worldOf(page);
  await page.emulateMedia({ colorScheme: "dark" });
  const inDark = await run(world, COLOURS);
  await page.emulateMedia({ colorScheme: "light" });
  return [...found, ...inDark.map((one) => `in the dark: ${one}`)];
}

/** What axe objects to because of the size of the screen, where the same screen was looked at whole at another size. */
export const objectionsToSize = async (page: Page): Promise<string[]> => run(await worldOf(page), SIZES);

/** As `objectionsToSize`, and what it objects to because of the colours. */
export const objectionsToLook = async (page: Page): Promise<string[]> =>
  run(await worldOf(page), { ...SIZES, runOnly: [...SIZES.runOnly, ...COLOURS.runOnly] });

/** Expects that axe finds no accessibility problem on the screen, light or dark. */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await objections(page), "axe").toEqual([]);
}
