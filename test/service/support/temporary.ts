/** Services, receivers and folders that end with the test. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import {
  startService,
  type RunningService,
  type ServiceOptions,
} from "../../../src/local-service/start-service.ts";
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

/**
 * Starts the local service in this process.
 * @param folder the folder of its data; default: one of its own
 * @param timing replaces the document's times
 */
export async function startHere(
  project: object = {},
  folder = temporaryFolder(),
  timing: ServiceOptions["timing"] = {},
): Promise<RunningService> {
  const file = join(folder, "project.json");
  writeFileSync(file, JSON.stringify(project));
  const running = await startService({ project: file, data: join(folder, "data.sqlite"), timing });
  let stopping: Promise<void> | undefined;
  const stop = (): Promise<void> => (stopping ??= running.stop());
  onTestFinished(stop);
  return { ...running, stop };
}

/** Starts a webhook receiver. */
export async function temporaryReceiver(...options: Parameters<typeof receiver>): Promise<Receiver> {
  const started = await receiver(...options);
  onTestFinished(() => started.close());
  return started;
}
