/** Deliveries after a restart; the others: test/service/local/webhooks.test.ts. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { EVENT_KINDS } from "../../../src/local-service/service-settings.ts";
import { temporaryReceiver } from "../../service/support/temporary.ts";
import { start, temporaryFolder, type Harness } from "./harness.ts";
import { waitUntil } from "../support/wait-until.ts";

const SECRET = "s3cret";

async function receiver(answer?: Parameters<typeof temporaryReceiver>[1]) {
  const started = await temporaryReceiver(SECRET, answer);
  return { ...started, webhook: { url: started.url, secret: SECRET, events: [...EVENT_KINDS] } };
}

const languages = [{ locale: "nl" }];
const sync = async (service: Harness, ...keys: string[]): Promise<unknown> =>
  service.data("POST", "/keys/sync", { keys: keys.map((key) => ({ key, value: key })) });

test("delivers pending events after a restart", async () => {
  const folder = temporaryFolder();
  const { deliveries, webhook } = await receiver((index) => ({ status: index === 0 ? 503 : 204 }));
  const options = { data: join(folder, "store.sqlite"), timing: { retryDelaysMs: [700] } };
  const service = await start({ languages, webhooks: [webhook] }, options);
  await sync(service, "a");
  await waitUntil(() => deliveries.length === 1);
  await service.stop();
  await start({ languages, webhooks: [webhook] }, options);
  await waitUntil(() => deliveries.length === 2);
  expect(deliveries[1]).toEqual({ ...deliveries[0], at: expect.any(Number) });
});
