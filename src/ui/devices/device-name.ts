import { deviceStrings } from "../strings";

/** Browsers and systems by what their user agent holds; the first that fits, as most browsers also name others. */
const BROWSERS = {
  Edge: /Edg/,
  Opera: /OPR\//,
  Samsung: /SamsungBrowser/,
  Firefox: /Firefox|FxiOS/,
  Chrome: /Chrom|CriOS/,
  Safari: /Safari/,
};
const SYSTEMS = {
  iPhone: /iPhone/,
  iPad: /iPad/,
  Android: /Android/,
  ChromeOS: /CrOS/,
  Windows: /Windows/,
  Mac: /Macintosh/,
  Linux: /Linux/,
};

/** What to call this device until its user says otherwise: "Chrome on Linux". */
export function deviceName(agent = navigator.userAgent): string {
  const find = (of: Record<string, RegExp>) => Object.entries(of).find(([, pattern]) => pattern.test(agent))?.[0];
  const browser = find(BROWSERS);
  const system = find(SYSTEMS);
  return browser && system ? deviceStrings.nameOf({ browser, system }) : deviceStrings.unnamed;
}
