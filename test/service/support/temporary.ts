/** Services, receivers and folders that end with the test. */
import { onTestFinished } from "vitest";
import { scratch, startLocal, type LocalService } from "./local-service.ts";
import { receiver, type Receiver } from "./receiver.ts";

/** A folder for a test's data and project file. */
export function temporaryFolder(): string {
  const { path, remove } = scratch();
  onTestFinished(remove);
  return path;
}

/** Starts the local service as a process of its own. */
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
