import { expect, test } from "vitest";
import type { ConnectionState } from "../../src/contract";
import { serversToTell } from "../../src/ui/wall/wall-rows";
import { server } from "./fake-client";

const live: ConnectionState = { kind: "live", sinceMs: 0, transport: "json" };
const polled: ConnectionState = { kind: "live", sinceMs: 0, transport: "poll", everyMs: 30_000 };
const offline: ConnectionState = { kind: "offline", sinceMs: 0 };

/**
 * The servers that the foot of the wall mentions when they are in these states, each as its index and whether it is
 * named.
 */
function told(...states: (ConnectionState | undefined)[]) {
  const servers = states.map((state, serverId) => ({
    server: server({ serverId }),
    status: state && {
      ...{
        serverId,
        state,
        checking: false,
        malformed: 0,
        recentRequests: 0,
        cacheless: false,
        refusedTopics: [],
        waitingTopics: [],
      },
    },
  }));
  const { troubled, live } = serversToTell(servers);
  const nameOf = ({ server, isNamed }: (typeof live)[number]) => `${String(server.serverId)}${isNamed ? " named" : ""}`;
  return { troubled: troubled.map(nameOf), live: live.map(nameOf) };
}

test("if all servers are live one is shown for all, and a single one needs no name", () => {
  expect(told(live, live)).toEqual({ troubled: [], live: ["0"] });
  expect(told(polled)).toEqual({ troubled: [], live: ["0"] });
});

test("a server that is only polled is not hidden behind a live one", () => {
  expect(told(live, polled, live)).toEqual({ troubled: [], live: ["1 named"] });
});

test("servers that are not live come first, by name", () => {
  expect(told(live, offline, polled, undefined)).toEqual({ troubled: ["1 named", "3 named"], live: [] });
  expect(told(offline)).toEqual({ troubled: ["0 named"], live: [] });
  expect(told()).toEqual({ troubled: [], live: [] });
});
