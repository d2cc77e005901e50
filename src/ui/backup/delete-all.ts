import type { App } from "../state/app.svelte";

/** Deletes all messages of these topics, earlier versions too, and offers to undo it. */
export async function deleteAllOf(
  app: App,
  subIds: number[],
  noticeText: (values: { count: number }) => string,
): Promise<void> {
  const done = await app.attempt("delete", { stored: { subIds } });
  if (!done || done.value.count === 0) return;
  const { count, undo } = done.value;
  app.notices.show({ text: noticeText({ count }), undo: () => void app.attempt("undo", { undo }) });
}
