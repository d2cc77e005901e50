import type { IconName } from "./icons";

/** What can be pressed, in a menu, a bar or beside a message. */
export interface MenuItem {
  label: string;
  icon: IconName;
  /** May return a promise, which resolves when it is done or has failed. */
  run: () => unknown;
  /** Whether a line above sets it apart. */
  apart?: boolean;
  disabled?: boolean;
}
