/** The channel between the indexing process and its client. */
import { MessageChannel } from "node:worker_threads";
import { expect, test } from "vitest";
import { channelOver } from "../../../src/indexer/indexer-protocol.ts";

test("its calls have no time limit: indexing a large project takes minutes", async () => {
  const { port1, port2 } = new MessageChannel();
  const channel = channelOver(port1, (message) => port1.postMessage(message));
  try {
    expect(channel.timeout).toBe(-1);
    const received = new Promise((resolve) => channelOver(port2, () => undefined).on?.(resolve));
    await channel.post?.({ call: 1 });
    expect(await received).toEqual({ call: 1 });
  } finally {
    port1.close();
  }
});
