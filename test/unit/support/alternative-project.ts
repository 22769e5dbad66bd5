/** A project with three keys in the alternative service, and windows on it. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { keyHash } from "../../../src/model/key-hash.ts";
import { temporaryFolder } from "./node-platform.ts";
import type { Variant } from "./alternative-responses.ts";
import { AlternativeService } from "./alternative-service.ts";
import { openWindow, type TestWindow } from "./test-window.ts";

export const TITLE = { namespace: "cart", key: "title", context: null };
export const LOGOUT = { namespace: "*", key: "Log out", context: null };
export const hashOf = (name: { namespace: string; key: string }): string => keyHash(name);

export interface AlternativeProject {
  readonly service: AlternativeService;
  /** The folder of the app. */
  readonly app: string;
  /** Opens a window, which has sent no requests yet. */
  open(): Promise<TestWindow>;
  close(): Promise<void>;
}

/** Starts the service with three keys, two of them translated into Dutch. */
export async function openAlternativeProject(variant: Variant = {}): Promise<AlternativeProject> {
  const folder = await temporaryFolder();
  await mkdir(join(folder.path, "app"));
  const service = await AlternativeService.start(variant);
  const { content } = service;
  const title = content.put({ namespace: "cart", key: "title" }, "Your cart / basket");
  const items = content.put({ namespace: "cart", key: "items" }, { one: "item", other: "items" });
  content.put({ key: "Log out" }, "Log out");
  content.translate("nl", title.hash, "Je mandje");
  content.translate("nl", items.hash, { one: "ding", other: "dingen" });
  content.advanceTime(60);
  const { baseUrl } = service;
  const { token } = AlternativeService;
  return {
    service,
    app: `${folder.path}/app`,
    open: () => openWindow({ baseUrl, token, folder: folder.path, preview: ["en", "nl"] }),
    close: async () => {
      await service.stop();
      await folder.remove();
    },
  };
}
