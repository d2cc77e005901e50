// Does the same as `plain-rows.ts` by one component, to show what the app's framework costs by itself.
import { mount } from "svelte";
import { readNewest } from "./read-newest";
import SvelteRows from "./SvelteRows.svelte";

mount(SvelteRows, { target: document.body, props: { rows: await readNewest() } });
