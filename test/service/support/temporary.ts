/** Services, receivers and folders that end with the test. */
import { onTestFinished } from "vitest";
import { createTemporaryFolder, startLocal, type LocalService } from "./local-service.ts";
import { receiver, type Receiver } from "./receiver.ts";

/** Creates a folder that is removed after the test. */
export function temporaryFolder(): string {
  const { path, remove } = createTemporaryFolder();
  onTestFinished(remove);
  return path;
}

/** Starts the local service as a separate process. */
export async function startTemporary(...options: Parameters<typeof startLocal>): Promise<LocalService> {
  const service = await startLocal(...options);
  onTestFinished(async () => void (await service.stop()));
  return service;
}

/** Starts a webhook receiver. */
export async function temporaryReceiver(...options: Parameters<typeof receiver>): Promise<Receiver> {
  const started = await receiver(...options);
  onTestFinished(() => started.close());
  return started;
}
