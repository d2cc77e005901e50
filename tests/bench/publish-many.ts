import type { TopicServer } from "../../src/server";

/** The text after a message's number, so that it has some 250 bytes when sent. */
const WORDS = "backup of the north disk ended after nine minutes with no errors and twelve new snapshots were kept";

/** The text of a numbered message; the full stop tells 1 from 10. */
export const numbered = (number: number): string => `no. ${number}. ${WORDS}`;

/**
 * Publishes numbered messages one after the other, as fast as the server takes them.
 * @param beforeEach gets the number of messages published so far
 */
export async function publishMany(
  server: TopicServer,
  topic: string,
  count: number,
  beforeEach: (published: number) => void = () => undefined,
): Promise<void> {
  for (let number = 0; number < count; number++) {
    beforeEach(number);
    await server.publish({ topic, message: numbered(number), priority: (1 + (number % 5)) as 1 | 2 | 3 | 4 | 5 });
  }
}
