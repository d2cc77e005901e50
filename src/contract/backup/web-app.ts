// Converts what ntfy's web app keeps in its database into lines of our backup.
import { type Credentials, decodeEvent, isJsonObject } from "../../protocol";
import { type ForeignBackup, ForeignTopics, mutedOf, nameOf } from "./android";
import type { BackupLine } from "./lines";

/** The tables of such a database. Their records may hold anything. */
export interface WebAppTables {
  subscriptions: unknown[];
  notifications: unknown[];
  users: unknown[];
}

/** Makes a backup of these tables. Messages that it shows as new are unread. */
export function webAppBackup({ subscriptions, notifications, users }: WebAppTables, nowMs: number): ForeignBackup {
  const topics = new ForeignTopics();
  for (const one of subscriptions.filter(isJsonObject)) {
    const { id, baseUrl, topic, displayName, mutedUntil, internal } = one;
    // The app's own sync topic; nobody subscribed to it.
    if (internal === true || internal === 1) continue;
    topics.add(nameOf(id), baseUrl, topic, {
      ...(typeof displayName === "string" && displayName !== "" && { displayName }),
      ...mutedOf(mutedUntil),
    });
  }
  const lines: BackupLine[] = [];
  for (const { subscriptionId, new: isNew, ...fields } of notifications.filter(isJsonObject)) {
    const at = topics.at(nameOf(subscriptionId));
    const event = decodeEvent({ event: "message", topic: at?.topic, ...fields });
    if (!at || !event.ok || event.value.event !== "message") {
      topics.leftOut++;
      continue;
    }
    lines.push({
      kind: "message",
      topic: at.index,
      event: event.value,
      via: "poll",
      receivedAtMs: event.value.time * 1_000,
      ...(isNew !== 1 && { readAtMs: event.value.time * 1_000 }),
    });
  }
  const credentials = users.filter(isJsonObject).flatMap(({ baseUrl, username, password, token }) => {
    const own: Credentials =
      typeof token === "string" && token !== ""
        ? { kind: "token", token }
        : { kind: "basic", user: nameOf(username), password: nameOf(password) };
    return topics.signIn(baseUrl, own);
  });
  return { text: topics.write(lines, nowMs), credentials, leftOut: topics.leftOut };
}
