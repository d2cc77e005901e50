import { expect, type Page } from "@playwright/test";
import axe from "axe-core";

/** What axe reports of one broken rule. */
interface Violation {
  id: string;
  help: string;
  nodes: { html: string; failureSummary?: string }[];
}

/**
 * Expects that nothing on the screen keeps anybody from using it, as far as axe can tell.
 *
 * Axe runs in a world of its own beside the page's scripts: the page's Content-Security-Policy and Trusted Types stay
 * in force, and neither hinders it.
 */
export async function expectAccessible(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  try {
    const { frameTree } = await session.send("Page.getFrameTree");
    const { executionContextId } = await session.send("Page.createIsolatedWorld", {
      frameId: frameTree.frame.id,
      worldName: "axe",
    });
    const evaluate = (expression: string) =>
      session.send("Runtime.evaluate", {
        expression,
        contextId: executionContextId,
        awaitPromise: true,
        returnByValue: true,
      });
    await evaluate(axe.source);
    const { result, exceptionDetails } = await evaluate(
      `axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => violations)`,
    );
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    const violations = result.value as Violation[];
    const told = violations.flatMap(({ id, help, nodes }) =>
      nodes.map(({ html, failureSummary = "" }) => `${id} (${help})\n${html}\n${failureSummary}`),
    );
    expect(told, "axe").toEqual([]);
  } finally {
    await session.detach();
  }
}
