import type { IconName } from "./icons";

/** One line of a menu. */
export interface MenuItem {
  label: string;
  icon: IconName;
  run: () => void;
  /** Set apart by a line above. */
  apart?: boolean;
  disabled?: boolean;
}
