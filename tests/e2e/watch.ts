import type { Browser, BrowserContext, CDPSession } from "@playwright/test";

/** An error on a page or in a worker during a test. */
export interface Problem {
  /** Page, or kind of worker. */
  where: string;
  text: string;
}

interface FromTarget {
  method?: string;
  params?: {
    entry?: { level: string; text: string; url?: string };
    type?: string;
    args?: { value?: unknown; description?: string }[];
    exceptionDetails?: { text: string; exception?: { description?: string } };
    request?: { url: string };
  };
}

/**
 * Listens to pages, shared workers and service workers for errors on the console, exceptions, violations of the
 * Content-Security-Policy (they are errors on the console) and requests to hosts that the test didn't allow.
 *
 * Playwright reports on pages and their own workers; shared workers need the developer protocol.
 */
export class Watch {
  readonly problems: Problem[] = [];
  /** The address of every request, of pages and workers. */
  readonly requested: string[] = [];
  readonly #allowedHosts: Set<string>;
  readonly #tolerated: RegExp[] = [];
  #session: CDPSession | undefined;

  constructor(allowedHosts: Iterable<string>) {
    this.#allowedHosts = new Set(allowedHosts);
  }

  /** Allows requests to another host, with its port. */
  allow(host: string): void {
    this.#allowedHosts.add(host);
  }

  /** Tolerates errors that a test causes on purpose, such as a refused connection. */
  tolerate(pattern: RegExp): void {
    this.#tolerated.push(pattern);
  }

  /** The errors that the test doesn't tolerate. */
  get unexpected(): string[] {
    return this.problems
      .filter(({ text }) => !this.#tolerated.some((pattern) => pattern.test(text)))
      .map(({ where, text }) => `${where}: ${text}`);
  }

  async start(browser: Browser, context: BrowserContext): Promise<void> {
    context.on("request", (request) => this.#requested("page", request.url()));
    context.on("weberror", (error) => {
      const { stack, message } = error.error();
      // The stack is empty for a rejection that no script of the page caused.
      this.#note("page", stack ? stack : message);
    });
    context.on("console", (message) => {
      if (message.type() === "error") this.#note("page", `${message.text()} (${message.location().url})`);
    });
    await context.addInitScript(() => {
      document.addEventListener("securitypolicyviolation", (event) => {
        console.error(
          `Policy: ${event.violatedDirective} ${event.blockedURI} ${event.sample} ${event.sourceFile}:${event.lineNumber}`,
        );
      });
    });

    const session = await browser.newBrowserCDPSession();
    this.#session = session;
    const names = new Map<string, string>();
    let id = 0;
    const tell = async (sessionId: string, ...methods: string[]): Promise<void> => {
      for (const method of methods) {
        const message = JSON.stringify({ id: ++id, method });
        await session.send("Target.sendMessageToTarget", { sessionId, message });
      }
    };
    session.on("Target.targetCreated", ({ targetInfo }) => {
      session
        .send("Target.attachToTarget", { targetId: targetInfo.targetId, flatten: false })
        .then(async ({ sessionId }) => {
          names.set(sessionId, targetInfo.type);
          await tell(sessionId, "Inspector.enable", "Runtime.enable", "Log.enable", "Network.enable");
        })
        .catch((error: unknown) => this.#lost(targetInfo.type, error));
    });
    session.on("Target.receivedMessageFromTarget", ({ sessionId, message }) => {
      const name = names.get(sessionId) ?? "worker";
      const heard = JSON.parse(message) as FromTarget;
      this.#heard(name, heard);
      // A shared worker that was restarted by a reload waits for its debugger.
      if (heard.method === "Inspector.targetReloadedAfterCrash") {
        tell(sessionId, "Runtime.runIfWaitingForDebugger").catch((error: unknown) => this.#lost(name, error));
      }
    });
    await session.send("Target.setDiscoverTargets", {
      discover: true,
      filter: [{ type: "shared_worker" }, { type: "service_worker" }],
    });
  }

  async stop(): Promise<void> {
    await this.#session?.detach();
  }

  /** Ignores a worker that ended before the watch could attach to it, as it had no time to do anything. */
  #lost(where: string, error: unknown): void {
    if (!/No target|Session|closed/.test(String(error))) this.#note(where, String(error));
  }

  #heard(where: string, { method, params }: FromTarget): void {
    if (method === "Log.entryAdded" && params?.entry?.level === "error") {
      this.#note(where, `${params.entry.text} (${params.entry.url ?? ""})`);
    } else if (method === "Runtime.exceptionThrown") {
      const details = params?.exceptionDetails;
      this.#note(where, details?.exception?.description ?? details?.text ?? "exception");
    } else if (method === "Runtime.consoleAPICalled" && (params?.type === "error" || params?.type === "assert")) {
      this.#note(where, (params.args ?? []).map(({ value, description }) => String(value ?? description)).join(" "));
    } else if (method === "Network.requestWillBeSent" && params?.request) {
      this.#requested(where, params.request.url);
    }
  }

  #requested(where: string, address: string): void {
    this.requested.push(address);
    const { protocol, host } = new URL(address);
    if (protocol === "data:" || protocol === "blob:" || this.#allowedHosts.has(host)) return;
    this.#note(where, `request to ${address}, a host that nobody named`);
  }

  #note(where: string, text: string): void {
    this.problems.push({ where, text });
  }
}
