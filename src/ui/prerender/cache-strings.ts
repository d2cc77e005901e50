import { forget, keep } from "../state/device-storage";
import type { App } from "../state/app.svelte";
import { datesSpoken, appStrings } from "../strings";
import { languageOf } from "../strings/language-of";
import { noteDates } from "./note-dates";
import { noted, SAID, saidFor, type CachedStrings } from "./cached-strings";

/** Caches the strings around the first rows for the next start, unless the locale's dates can't be reproduced. */
export function cacheStrings({ catalogue }: App): void {
  const { language: chosen, display } = catalogue.settings;
  // The first script can't say how long ago something was, so the app draws the rows by itself.
  if (display?.times === "relative") {
    forget(SAID);
    return;
  }
  const { lang, dir } = document.documentElement;
  // The first rows are drawn from left to right; a page that reads the other way is drawn by the app alone.
  if (dir === "rtl") return;
  const before = noted();
  const { locale, names: days } = datesSpoken();
  if (before?.chosen === chosen && before.lang === lang && before.locale === locale) return;
  // The strings could not be loaded, or another tab has just chosen another language.
  if (languageOf(chosen, navigator.languages).language !== lang) return;
  const dates = noteDates(locale);
  if (!dates) return;
  const { common, feed, priority, shell } = appStrings;
  const { unread, starred, showAll } = feed.message;
  const said: CachedStrings = {
    key: saidFor(),
    chosen,
    lang,
    locale,
    dates,
    days,
    unread,
    starred,
    showAll,
    priorities: priority.names,
    skip: shell.skip,
    everything: shell.everything,
    feed: feed.label,
    end: feed.end,
    noStart: common.noStart,
    tryAgain: common.tryAgain,
  };
  keep(SAID, JSON.stringify(said));
}
