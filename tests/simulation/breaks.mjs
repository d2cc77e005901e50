// Rules broken on purpose, one at a time, in a copy: the simulation must notice each.

/** @typedef {{ why: string, file: string, find: string, replace: string }} Break */

/** @type {readonly Break[]} */
export const BREAKS = [
  {
    why: "a live message moves the id cursor",
    file: "src/hub/server-connection.ts",
    find: "const stored = this.#hub.ingest.addLive({ serverId, arrivals, serverNowS: this.#serverClock.nowS, alerts: true });",
    replace: `const last = arrivals.at(-1).event;
    const group = { serverId, accountId, id: last.id, time: last.time, expires: last.expires ?? last.time };
    const serverNowS = this.#serverClock.nowS;
    const stored = this.#hub.ingest.addLive({ serverId, arrivals, serverNowS, alerts: true, cursors: { group } });`,
  },
  {
    why: "the cursors move before the messages are stored",
    file: "src/hub/catch-up.ts",
    find: "const stored = await this.#store(polled.events, subscriptions, options, cursors);",
    replace: `await this.#store([], subscriptions, options, cursors);
    const stored = await this.#store(polled.events, subscriptions, options, {});`,
  },
  {
    why: "half a poll moves the cursors",
    file: "src/hub/catch-up.ts",
    find: "if (!polled.failure) {\n      // The id stands",
    replace: "if (polled) {\n      // The id stands",
  },
  {
    why: "the reconciling poll has no overlap",
    file: "src/hub/catch-up.ts",
    find: "const OVERLAP_S = 900;",
    replace: "const OVERLAP_S = 0;",
  },
  {
    why: "polls leave out what is scheduled",
    file: "src/hub/catch-up.ts",
    find: "topics, since, scheduled, credentials",
    replace: "topics, since, scheduled: false, credentials",
  },
  {
    why: "a scheduled message's future time makes the marker",
    file: "src/hub/catch-up.ts",
    find: "isMessageId(event.id) && event.time <= notAfterS",
    replace: "isMessageId(event.id) && (event.time <= notAfterS || true)",
  },
  {
    why: "polls by id alone, never by time",
    file: "src/hub/topic-group.ts",
    find: 'this.#owed.add("time");',
    replace: 'this.#owed.add("id");',
  },
  {
    why: "the time cursor is taken from the device's clock",
    file: "src/hub/catch-up.ts",
    find: "const knownS = serverClock.known;",
    replace: "const knownS = Math.floor(this.#surroundings.now() / 1_000);",
  },
  {
    why: "polls every ten seconds",
    file: "src/hub/topic-group.ts",
    find: "export const RECONCILE_EVERY_MS = 300_000;",
    replace: "export const RECONCILE_EVERY_MS = 10_000;",
  },
  {
    why: "absences leave no gap",
    file: "src/hub/topic-group.ts",
    find: "if (from === undefined || nowS - from <= Math.max(retentionS, MIN_GAP_S)) return [];",
    replace: "if (from !== Infinity) return [];",
  },
  {
    why: "the history of a new topic alerts",
    file: "src/hub/catch-up.ts",
    find: "[strangers, false],",
    replace: "[strangers, true],",
  },
  {
    why: "what is stored is not looked up before it is stored",
    file: "src/store/ingest.ts",
    find: "} else if (facts.stored.has(event.id)) {",
    replace: "} else if (facts.stored.has(event.id) && event.id === batch) {",
  },
  {
    why: "unread is counted at every arrival",
    file: "src/store/ledger.ts",
    find: "record.unread += is.unread - was.unread;",
    replace: "record.unread += is.unread;",
  },
  {
    why: "the claim to alert is not kept in the transaction",
    file: "src/store/claim-alert.ts",
    find: "  row.alertedAtMs = nowMs;\n",
    replace: "",
  },
  {
    why: "what a worker claimed that died is looked for by nobody",
    file: "src/hub/alerts.ts",
    find: "if (tried === 0) return;",
    replace: "if (tried === 0 || this.#fresh.size === 0) return;",
  },
  {
    why: "a deleted message leaves no tombstone",
    file: "src/store/tombstones.ts",
    find: 'transaction.store("tombstones").put({ subId: row.subId, time: row.time, id: row.id, until });',
    replace: "",
  },
  {
    why: "a delete forgets what comes after it",
    file: "src/store/apply-sequences.ts",
    find: "isBefore(row, is.deleted) || goneInTime.has(row.id);",
    replace: "goneInTime.has(row.id);",
  },
  {
    why: "within a second a delete always wins",
    file: "src/store/apply-sequences.ts",
    find: "isBefore(row, is.deleted) || goneInTime.has(row.id);",
    replace: "is.deleted !== undefined && row.time <= is.deleted.time;",
  },
  {
    why: "within a second a message always wins over a delete",
    file: "src/store/apply-sequences.ts",
    find: "isBefore(row, is.deleted) || goneInTime.has(row.id);",
    replace: "isBefore(row, is.deleted);",
  },
  {
    why: "a clear reads what came in its second",
    file: "src/store/apply-sequences.ts",
    find: "if (isBefore(row, is.cleared)) row.readAtMs ??= nowMs;",
    replace: "if (is.cleared && row.time <= is.cleared.time) row.readAtMs ??= nowMs;",
  },
  {
    why: "a clear reads nothing that came in its second",
    file: "src/store/mark-versions.ts",
    find: "if (verdict.cleared.has(row.id)) row.readAtMs ??= nowMs;",
    replace: "",
  },
  {
    why: "within a second updates are ordered by local arrival",
    file: "src/store/reduce-sequence.ts",
    find: "newest = lastTold;",
    replace: "newest = ofNewest.id;",
  },
  {
    why: "of updates whose order is not known the last to arrive alone alerts",
    file: "src/store/apply-sequences.ts",
    find: "if (isUnsure(row, is, seconds)) version.isUnsure = true;",
    replace: "",
  },
  {
    why: "an order that is not known is never asked for",
    file: "src/hub/order-questions.ts",
    find: "for (const [subscription, seconds] of await this.#open()) {",
    replace: "for (const [subscription, seconds] of await Promise.resolve([])) {",
  },
  {
    why: "an answer for several topics tells the order within a second",
    file: "src/hub/catch-up.ts",
    find: "isOrdered: subscriptions.length === 1,",
    replace: "isOrdered: true,",
  },
  {
    why: "what a delete of its own second took away leaves no trace",
    file: "src/store/apply-sequences.ts",
    find: "if (goneInTime.has(row.id)) leaveTombstone(transaction, row, nowMs);",
    replace: "",
  },
  {
    why: "refused credentials are tried again",
    file: "src/hub/server-plan.ts",
    find: "return subscription.refusedCode === undefined && this.#account(subscription.accountId)?.refusedAtMs === undefined;",
    replace: "return subscription.refusedCode === undefined;",
  },
  {
    why: "a topic that comes back is not caught up alone",
    file: "src/store/subscriptions.ts",
    find: "return patched(leftGroup(subscription), { removedAtMs: null });",
    replace: "return patched(subscription, { removedAtMs: null });",
  },
  {
    why: "a new leader does not say that something may have been missed",
    file: "src/hub/hub.ts",
    find: 'if (this.#hasHeardOthers || this.#leaderId !== undefined) this.#announce({ kind: "missed" });',
    replace: "",
  },
  {
    why: "nobody speaks for a leader that a new one never knew",
    file: "src/hub/hub.ts",
    find: 'this.#missedTimer = setTimer(() => this.#announce({ kind: "missed" }), SPEAK_AFTER_MS);',
    replace: "",
  },
  {
    why: "a clock that was set back holds up what waits for silence",
    file: "src/hub/watchdog.ts",
    find: "if (leftMs > limitMs) this.feed();\n      if (leftMs > 0) this.#arm(Math.min(leftMs, limitMs));",
    replace: "if (leftMs > 0) this.#arm(leftMs);",
  },
  {
    why: "what was removed is purged only by the leader that saw it go",
    file: "src/store/purge-removed.ts",
    find: "const next = Number.isFinite(nextAtMs) && { nextAtMs };",
    replace: "const next = {};",
  },
  {
    why: "from now on is counted from when it could be done",
    file: "src/hub/commands/topic-commands.ts",
    find: "const sinceS = Math.max(0, Math.floor((now() - askedAtMs) / 1_000));",
    replace: "const sinceS = 0;",
  },
  {
    why: "from now on is counted from the device's clock where no stream tells",
    file: "src/hub/commands/check-access.ts",
    find: "let newest: number | undefined;",
    replace: "let newest: number | undefined = Math.floor(surroundings.now() / 1_000);",
  },
  {
    why: "a body with an error of the server inside counts as whole",
    file: "src/hub/read-frames.ts",
    find: 'failed ||= frame.error.kind === "error-object";',
    replace: "",
  },
  {
    why: "an update may take the place of a version of another sequence",
    file: "src/store/apply-sequences.ts",
    find: "if (row && !row.scheduled && sequenceOf(row.event) === row.id)",
    replace: "if (row && !row.scheduled)",
  },
  {
    why: "a cursor stays in the future of a clock that was set back",
    file: "src/hub/catch-up.ts",
    find: "return serverNowS !== undefined && timeCursor > serverNowS;",
    replace: "return false;",
  },
  {
    why: "an upload during which the server's clock was set on is looked for by its stamp",
    file: "src/hub/catch-up.ts",
    find: "if (this.#group.serverClock.setOnAtMs !== this.#coveredSetOnAtMs) return all;",
    replace: "",
  },
  {
    why: "the server's clock is taken back by a live message from a buffer",
    file: "src/hub/server-clock.ts",
    find: "else this.#knownS = timeS;",
    replace: "else this.#set(timeS);",
  },
  {
    why: "a cancelled scheduled message stays",
    file: "src/store/scheduled.ts",
    find: "if (isKnowable && !input.presentIds.has(row.id)) ledger.remove(row);",
    replace: "",
  },
];
