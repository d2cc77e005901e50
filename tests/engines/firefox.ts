import puppeteer, { type KeyInput, type Page } from "puppeteer-core";
import { programPath, FIREFOX } from "../../scripts/browser.mjs";
import { FirefoxPushService } from "./firefox-push-service";
import { ANSWER_MS, SIZE, type Engine, type EngineWindow, type Json, type Launch } from "./engine";

/** Value of Firefox's cookie setting: 0 is the default, 2 refuses all storage. */
const REFUSE_ALL = 2;

class FirefoxWindow implements EngineWindow {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  async goto(url: string): Promise<void> {
    await this.#page.goto(url, { timeout: ANSWER_MS });
  }

  async reload(): Promise<void> {
    await this.#page.reload({ timeout: ANSWER_MS });
  }

  async run<Args extends Json[], Value>(
    work: (...args: Args) => Value | Promise<Value>,
    ...args: Args
  ): Promise<Awaited<Value>> {
    // The types of `evaluate` also cover handles to objects in the page, which these tests don't use.
    return (await this.#page.evaluate(work as (...given: Json[]) => unknown, ...args)) as Awaited<Value>;
  }

  async press({ x, y }: { x: number; y: number }): Promise<void> {
    await this.#page.mouse.click(x, y);
  }

  async pointAt({ x, y }: { x: number; y: number }): Promise<void> {
    await this.#page.mouse.move(x, y);
  }

  async key(...keys: string[]): Promise<void> {
    for (const key of keys) await this.#page.keyboard.down(key as KeyInput);
    for (const key of keys.toReversed()) await this.#page.keyboard.up(key as KeyInput);
  }

  async type(text: string): Promise<void> {
    await this.#page.keyboard.type(text);
  }

  async resize(width: number, height: number): Promise<void> {
    await this.#page.setViewport({ width, height });
  }

  async picture(): Promise<Buffer> {
    return Buffer.from(await this.#page.screenshot());
  }

  async close(): Promise<void> {
    await this.#page.close();
  }
}

/** Preferences with which a browser without a screen receives pushes from a service on loopback, and shows them. */
const pushPreferences = (host: string) => ({
  "dom.push.enabled": true,
  "dom.push.connection.enabled": true,
  "dom.push.serverURL": `ws://${host}/`,
  "dom.push.testing.allowInsecureServerURL": true,
  // 1 = allowed, for each site.
  "permissions.default.desktop-notification": 1,
  // There is no system to show them.
  "alerts.useSystemBackend": false,
});

/** Starts Firefox without a screen and with a new profile, and drives it by WebDriver BiDi. */
export async function startFirefox({ blocksSiteData = false, receivesPushes = false }: Launch = {}): Promise<Engine> {
  const pushService = receivesPushes ? await FirefoxPushService.start() : undefined;
  const browser = await puppeteer.launch({
    browser: "firefox",
    executablePath: programPath(FIREFOX),
    headless: true,
    defaultViewport: SIZE,
    extraPrefsFirefox: {
      "intl.accept_languages": "en-GB",
      "ui.prefersReducedMotion": 1,
      ...(pushService && pushPreferences(pushService.host)),
      ...(blocksSiteData && { "network.cookie.cookieBehavior": REFUSE_ALL }),
    },
  });
  return {
    version: await browser.version(),
    open: async () => new FirefoxWindow(await browser.newPage()),
    ...(pushService && { pushService }),
    close: async () => {
      await browser.close();
      await pushService?.stop();
    },
  };
}
