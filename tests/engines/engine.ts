// What the tests need of a browser, whatever drives it.
import type { FirefoxPushService } from "./firefox-push-service";

/** Values that can be passed to a page and back. */
export type Json = string | number | boolean | null | undefined | readonly Json[] | { readonly [name: string]: Json };

/** A point of the page on the screen, CSS px from its upper left corner. */
export interface Point {
  x: number;
  y: number;
}

/** Keys that type nothing, by their `KeyboardEvent.key`; every other key is the character that it types. */
export type Key = "Enter" | "Escape" | "Tab" | "Backspace" | "ArrowDown" | "ArrowUp" | "Control";

/** A window with a page. */
export interface EngineWindow {
  /** Opens an address, and waits until the page is loaded. */
  goto(url: string): Promise<void>;
  reload(): Promise<void>;
  /** Runs a function in the page; it must use nothing from the file that it is written in. */
  run<Args extends Json[], Value>(
    work: (...args: Args) => Value | Promise<Value>,
    ...args: Args
  ): Promise<Awaited<Value>>;
  /** Presses with the pointer, as a hand does. */
  press(at: Point): Promise<void>;
  /** Moves the pointer to a point. */
  pointAt(at: Point): Promise<void>;
  /** Presses a key, or keys held down together. */
  key(...keys: (Key | (string & {}))[]): Promise<void>;
  type(text: string): Promise<void>;
  /** Sets the size of the page, CSS px. */
  resize(width: number, height: number): Promise<void>;
  /** A screenshot, as PNG. */
  picture(): Promise<Buffer>;
  close(): Promise<void>;
}

/** How a browser is started. */
export interface Launch {
  /** The user forbids all sites to store anything. */
  blocksSiteData?: boolean;
  /** It has a push service, and lets every site show notifications. */
  receivesPushes?: boolean;
}

/** A running browser. */
export interface Engine {
  /** Name and version. */
  readonly version: string;
  /** What its pushes come by; absent = it receives none. */
  readonly pushService?: FirefoxPushService;
  open(): Promise<EngineWindow>;
  close(): Promise<void>;
}

/** How long a page may take to load, and a script in it to answer, ms. */
export const ANSWER_MS = 30_000;

/** Default size of a page, CSS px. */
export const SIZE = { width: 1280, height: 800 };
