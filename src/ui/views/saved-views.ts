import type { ViewRecord } from "../../client";
import type { SavedView } from "../../contract";
import type { App } from "../state/app.svelte";
import { rewriteLinks } from "../state/host";
import { placedBefore, stepped } from "../state/topics/order";
import { viewStrings } from "../strings";

const named = ({ viewId, name, link }: ViewRecord): SavedView => ({ viewId, name, link });

async function setViews(app: App, views: readonly SavedView[]): Promise<boolean> {
  return (await app.attempt("setViews", { views: [...views] })) !== undefined;
}

/** Reports a change of the views, with an Undo, which leaves alone what came meanwhile. */
function say(app: App, text: string, undo: (views: SavedView[]) => SavedView[]): void {
  app.notices.show({ text, undo: () => void setViews(app, undo(app.catalogue.views.map(named))) });
}

/** Saves the shown feed under a name, replacing a view of that name. */
export async function saveView(app: App, name: string): Promise<void> {
  const before = app.catalogue.views.map(named);
  const link = app.navigation.href(app.navigation.view, app.navigation.filter);
  const taken = before.find((view) => view.name === name);
  const withLink = (views: SavedView[], to: string) =>
    views.map((one) => (one.name === name ? { ...one, link: to } : one));
  if (!(await setViews(app, taken ? withLink(before, link) : [...before, { name, link }]))) return;
  if (taken) say(app, viewStrings.replaced({ name }), (views) => withLink(views, taken.link));
  else say(app, viewStrings.saved({ name }), (views) => views.filter((one) => one.name !== name));
}

export async function renameView(app: App, viewId: number, name: string): Promise<void> {
  const { views } = app.catalogue;
  const before = views.find((view) => view.viewId === viewId);
  if (!before) return;
  app.navigation.rename((feed) => (feed.saved === before.name ? { ...feed, saved: name } : feed));
  const after = views.map((view) => (view === before ? { ...view, name } : view));
  if (!(await setShown(app, after))) return;
  await replaceLink(app, before, app.navigation.hrefOfSaved({ name }));
}

/** Has the stored columns of a view lead elsewhere. */
function replaceLink(app: App, view: SavedView, to: string): Promise<void> {
  const from = app.navigation.hrefOfSaved(view);
  return rewriteLinks(app, (link) => (link === from ? to : link));
}

/** Puts a view before another or last. */
export async function placeView(app: App, viewId: number, before?: number): Promise<void> {
  const find = (sought?: number) => app.catalogue.views.find((view) => view.viewId === sought);
  const view = find(viewId);
  if (view && before !== viewId) await setShown(app, placedBefore(app.catalogue.views, view, find(before)));
}

/** Shows changed views at once; reverted if they can't be stored. */
async function setShown(app: App, after: ViewRecord[]): Promise<boolean> {
  const { views } = app.catalogue;
  if (after.every((view, at) => view === views[at])) return false;
  app.catalogue.applyOptimistically({ views: after });
  const isStored = await setViews(app, after.map(named));
  if (!isStored) app.catalogue.applyOptimistically({ views });
  return isStored;
}

/** Moves a view by one place, unless it is at that end of the list, and announces its new place to screen readers. */
export async function moveView(app: App, viewId: number, by: -1 | 1): Promise<void> {
  const { views } = app.catalogue;
  const at = views.findIndex((view) => view.viewId === viewId);
  const after = stepped(views, at, by);
  if (!after || !(await setShown(app, after))) return;
  const name = views[at]?.name ?? "";
  app.notices.show({ text: viewStrings.moved({ name, place: at + by + 1, all: views.length }) });
}

/** Removes a view. Its messages stay. */
export async function removeView(app: App, viewId: number): Promise<void> {
  const before = app.catalogue.views.map(named);
  const at = before.findIndex((one) => one.viewId === viewId);
  const view = before[at];
  if (!view || !(await setViews(app, before.toSpliced(at, 1)))) return;
  say(app, viewStrings.removed({ name: view.name }), (views) => [...views.slice(0, at), view, ...views.slice(at)]);
  await replaceLink(app, view, view.link);
}
