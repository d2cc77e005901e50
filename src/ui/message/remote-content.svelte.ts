import { SvelteSet } from "svelte/reactivity";

/** Addresses that the user pressed to load. They stay so until the page is left, wherever the message scrolls to. */
const pressed = new SvelteSet<string>();

/** Whether the user asked for what lies at an address. */
export function wasAskedFor(href: string): boolean {
  return pressed.has(href);
}

/** Loads what lies at an address from now on. */
export function askFor(href: string): void {
  pressed.add(href);
}
