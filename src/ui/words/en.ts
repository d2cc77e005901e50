import { common, priority } from "./en/common";
import { errors } from "./en/errors";
import { feed } from "./en/feed";
import { settings } from "./en/settings";
import { shell } from "./en/shell";
import { state } from "./en/state";
import { topics } from "./en/topics";

/** The English catalogue, in sections by screen. Every string that the user sees comes from here. */
export const en = { common, priority, errors, feed, shell, state, topics, settings };
