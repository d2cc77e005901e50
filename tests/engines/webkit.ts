import { spawn, type ChildProcess } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Builder, Capabilities, Key, Origin, type WebDriver } from "selenium-webdriver";
import { programPath, MINI_BROWSER, WEBKIT_DRIVER, XVFB } from "../../scripts/browser.mjs";
import { ANSWER_MS, SIZE, type Engine, type EngineWindow, type Json } from "./engine";

/** How often the driver is asked whether it listens yet, ms; it does so within a moment of its start. */
const ASK_AGAIN_MS = 50;

/**
 * The driver bounds the scripts that it runs, but not its other work: a page that is busy for ever would leave every command, the
 * test and the browser behind. A command without an answer within this time, ms, counts as failed.
 */
const COMMAND_MS = 2 * ANSWER_MS;

/** How long the browser may take to end by itself, ms. */
const QUIT_MS = 10_000;

const KEYS: Readonly<Record<string, string>> = {
  Enter: Key.ENTER,
  Escape: Key.ESCAPE,
  Tab: Key.TAB,
  Backspace: Key.BACK_SPACE,
  ArrowDown: Key.ARROW_DOWN,
  ArrowUp: Key.ARROW_UP,
  Control: Key.CONTROL,
};

/**
 * The buttons beside the address would make the window, and the page with it, at least 447 px wide, which is wider than
 * a phone.
 */
const NARROW_BUTTONS = "button { min-width: 0; margin: 0; padding: 0; border-width: 0; }";

/** Fails when work takes longer. */
async function within<Value>(limitMs: number, work: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`WebKit gave no answer within ${limitMs} ms`)), limitMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Commands of the protocol go to the window that was chosen last, so they have to run one after the other. */
class Session {
  readonly driver: WebDriver;
  #last: Promise<unknown> = Promise.resolve();

  constructor(driver: WebDriver) {
    this.driver = driver;
  }

  /** Does something in a window, once all earlier work is done. */
  within<Value>(handle: string, work: (driver: WebDriver) => Promise<Value>): Promise<Value> {
    return this.inTurn(async () => {
      await this.driver.switchTo().window(handle);
      return work(this.driver);
    });
  }

  inTurn<Value>(work: () => Promise<Value>, limitMs = COMMAND_MS): Promise<Value> {
    const inTime = () => within(limitMs, work());
    const done = this.#last.then(inTime, inTime);
    this.#last = done;
    return done;
  }
}

class WebKitWindow implements EngineWindow {
  readonly #session: Session;
  readonly #handle: string;

  constructor(session: Session, handle: string) {
    this.#session = session;
    this.#handle = handle;
  }

  #within<Value>(work: (driver: WebDriver) => Promise<Value>): Promise<Value> {
    return this.#session.within(this.#handle, work);
  }

  async goto(url: string): Promise<void> {
    await this.#within((driver) => driver.get(url));
  }

  async reload(): Promise<void> {
    await this.#within((driver) => driver.navigate().refresh());
  }

  async run<Args extends Json[], Value>(
    work: (...args: Args) => Value | Promise<Value>,
    ...args: Args
  ): Promise<Awaited<Value>> {
    return (await this.#within((driver) => driver.executeScript(work, ...args))) as Awaited<Value>;
  }

  async press({ x, y }: { x: number; y: number }): Promise<void> {
    await this.#within((driver) =>
      driver
        .actions({ async: true })
        .move({ origin: Origin.VIEWPORT, x: Math.round(x), y: Math.round(y), duration: 0 })
        .press()
        .release()
        .perform(),
    );
  }

  async pointAt({ x, y }: { x: number; y: number }): Promise<void> {
    await this.#within((driver) =>
      driver
        .actions({ async: true })
        .move({ origin: Origin.VIEWPORT, x: Math.round(x), y: Math.round(y), duration: 0 })
        .perform(),
    );
  }

  async key(...keys: string[]): Promise<void> {
    const named = keys.map((key) => KEYS[key] ?? key);
    await this.#within((driver) => {
      const actions = driver.actions({ async: true });
      for (const key of named) actions.keyDown(key);
      for (const key of named.toReversed()) actions.keyUp(key);
      return actions.perform();
    });
  }

  async type(text: string): Promise<void> {
    await this.#within((driver) => driver.actions({ async: true }).sendKeys(text).perform());
  }

  async resize(width: number, height: number): Promise<void> {
    await this.#within(async (driver) => {
      const size = () =>
        driver.executeScript<{ width: number; height: number }>(() => ({ width: innerWidth, height: innerHeight }));
      const inner = await size();
      const outer = await driver.manage().window().getRect();
      await driver
        .manage()
        .window()
        .setRect({
          x: 0,
          y: 0,
          width: outer.width - inner.width + width,
          height: outer.height - inner.height + height,
        });
      // The page takes its new size some time after the driver has answered.
      const isSo = async () => {
        const now = await size();
        return now.width === width && now.height === height;
      };
      await driver.wait(isSo, ANSWER_MS, `the page does not become ${width} by ${height} px`);
    });
  }

  async picture(): Promise<Buffer> {
    return Buffer.from(await this.#within((driver) => driver.takeScreenshot()), "base64");
  }

  async close(): Promise<void> {
    await this.#within((driver) => driver.close());
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Starts a virtual screen; resolves to its name once it is there. */
async function startScreen(): Promise<{ screen: ChildProcess; display: string }> {
  // Xvfb chooses a free display number and writes it to this descriptor.
  const screen = spawn(programPath(XVFB), ["-displayfd", "3", "-screen", "0", "1600x1200x24", "-nolisten", "tcp"], {
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  });
  const display = await new Promise<string>((resolve, reject) => {
    screen.once("error", reject);
    screen.once("exit", (code) => reject(new Error(`Xvfb ended with ${code}`)));
    screen.stdio[3]?.once("data", (number: Buffer) => resolve(`:${number.toString().trim()}`));
  });
  return { screen, display };
}

/** Makes a folder of settings for GTK. */
async function settingsFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "earshot-gtk-"));
  await mkdir(join(folder, "gtk-3.0"));
  await writeFile(join(folder, "gtk-3.0", "gtk.css"), NARROW_BUTTONS);
  return folder;
}

/** Starts the driver; resolves once it answers. */
async function startDriver(display: string, settings: string): Promise<{ driver: ChildProcess; address: string }> {
  const port = await freePort();
  const driver = spawn(programPath(WEBKIT_DRIVER), [`--port=${port}`, "--host=127.0.0.1"], {
    stdio: "ignore",
    // A group of its own, so that all of its processes can be ended, whatever they do.
    detached: true,
    env: {
      ...process.env,
      DISPLAY: display,
      XDG_CONFIG_HOME: settings,
      LANG: "en_GB.UTF-8",
      LIBGL_ALWAYS_SOFTWARE: "1",
      NO_AT_BRIDGE: "1",
    },
  });
  const address = `http://127.0.0.1:${port}`;
  const untilMs = Date.now() + ANSWER_MS;
  for (;;) {
    try {
      await fetch(`${address}/status`);
      return { driver, address };
    } catch (error) {
      if (Date.now() > untilMs || driver.exitCode !== null) throw error;
      await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS));
    }
  }
}

/** Ends the driver with its browser and the processes of its pages, one of which may be busy for ever. */
function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    // There is none left.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** Starts WebKitGTK's MiniBrowser on a virtual screen; nothing that it stores outlives it. */
export async function startWebKit(): Promise<Engine> {
  const { screen, display } = await startScreen();
  const settings = await settingsFolder();
  const { driver, address } = await startDriver(display, settings);
  const end = async (): Promise<void> => {
    endGroup(driver);
    screen.kill();
    await rm(settings, { recursive: true });
  };
  // The group doesn't end with this process by itself.
  process.once("exit", () => endGroup(driver));
  try {
    const options = { binary: programPath(MINI_BROWSER), args: ["--automation"] };
    const built = await new Builder()
      .usingServer(address)
      .withCapabilities(new Capabilities({ browserName: "MiniBrowser", "webkitgtk:browserOptions": options }))
      .build();
    await built.manage().setTimeouts({ pageLoad: ANSWER_MS, script: ANSWER_MS });
    const session = new Session(built);
    // This window stays open, as the browser ends with its last window.
    const first = await built.getWindowHandle();
    return {
      version: `WebKitGTK ${String((await built.getCapabilities()).get("browserVersion"))}`,
      async open() {
        // Opens a window rather than a tab, as the page of a background tab counts as hidden.
        const handle = await session.within(first, async () => {
          await built.switchTo().newWindow("window");
          return built.getWindowHandle();
        });
        const window = new WebKitWindow(session, handle);
        await window.resize(SIZE.width, SIZE.height);
        return window;
      },
      close: async () => {
        try {
          await session.inTurn(() => built.quit(), QUIT_MS);
        } finally {
          await end();
        }
      },
    };
  } catch (error) {
    await end();
    throw error;
  }
}
