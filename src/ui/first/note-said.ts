import { keep } from "../state/device-storage";
import type { App } from "../state/app.svelte";
import { datesSpoken, words } from "../words";
import { noteDates } from "./note-dates";
import { noted, SAID, saidFor, type Said } from "./said";

/** Notes what is said around the first rows, for the next start; not where dates can't be noted as they are written. */
export function noteSaid({ catalogue }: App): void {
  const chosen = catalogue.settings.language;
  if (noted()?.chosen === chosen) return;
  const { locale, names: days } = datesSpoken();
  const dates = noteDates(locale);
  if (!dates) return;
  const { common, feed, priority, shell } = words;
  const { unread, starred, showAll } = feed.message;
  const said: Said = {
    ...{ key: saidFor(), chosen, lang: document.documentElement.lang, dates, days },
    ...{ skip: shell.skip, everything: shell.everything, feed: feed.label, end: feed.end },
    ...{ unread, starred, showAll, priorities: priority.names },
    ...{ noStart: common.noStart, tryAgain: common.tryAgain },
  };
  keep(SAID, JSON.stringify(said));
}
