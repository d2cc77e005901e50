import type { IconName } from "./icons";

export interface MenuItem {
  label: string;
  icon: IconName;
  run: () => void;
  /** Set apart by a line above. */
  apart?: boolean;
  disabled?: boolean;
}
