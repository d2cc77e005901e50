import { createHash, timingSafeEqual } from "node:crypto";
import type { AccessSettings, TopicPermission } from "./options";

export type Deed = "read" | "write";

/** Someone whose credentials were accepted. */
export type User = Pick<AccessSettings["users"][number], "name" | "role">;

const ALLOWS: Readonly<Record<TopicPermission, readonly Deed[]>> = {
  "read-write": ["read", "write"],
  "read-only": ["read"],
  "write-only": ["write"],
  "deny-all": [],
};

/** Compiled patterns of the rules, as a list of topics may need each a thousand times. */
const expressions = new Map<string, RegExp>();

/** Whether a pattern matches the whole name: `*` matches anything, `_` and `-` only themselves. */
export function matchesPattern(pattern: string, topic: string): boolean {
  const expression = expressions.get(pattern) ?? new RegExp(`^${pattern.replaceAll(/\*+/g, ".*")}$`);
  expressions.set(pattern, expression);
  return expression.test(topic);
}

/** Whether a user may do something with a topic (docs/protocol.md §9). `user` absent = not logged in. */
export function mayDo(access: AccessSettings, user: User | undefined, deed: Deed, topic: string): boolean {
  if (user?.role === "admin") return true;
  const rules = access.rules
    .filter((rule) => (rule.user === "*" || rule.user === user?.name) && matchesPattern(rule.topic, topic))
    // A user's own rule beats one for everyone, then the longer pattern wins, then the one that allows writing.
    .sort(
      (a, b) =>
        Number(a.user === "*") - Number(b.user === "*") ||
        b.topic.length - a.topic.length ||
        Number(ALLOWS[b.allow].includes("write")) - Number(ALLOWS[a.allow].includes("write")),
    );
  return ALLOWS[rules[0]?.allow ?? access.default].includes(deed);
}

/** Compares secrets in constant time; digests make their lengths equal. */
function isSame(a: string, b: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}

export function findByPassword(access: AccessSettings, name: string, password: string): User | undefined {
  const user = access.users.find((known) => known.name === name);
  // An unknown name takes as long as a known one.
  const isRight = isSame(user?.password ?? "", password);
  return isRight ? user : undefined;
}
