/** A project of three keys in the other service, in a folder of its own for each test, and windows that show it. */
import { keyHash } from "../../../src/model/key-identity.ts";
import { temporaryFolder } from "./node-ports.ts";
import type { Variant } from "./other-answers.ts";
import { OtherService } from "./other-service.ts";
import { openWindow, type TestWindow } from "./window.ts";

export const TITLE = { namespace: "cart", key: "title", context: null };
export const LOGOUT = { namespace: "*", key: "Log out", context: null };
export const hashOf = (name: { namespace: string; key: string }): string => keyHash(name);

export interface OtherProject {
  readonly service: OtherService;
  /** The folder of the app. */
  readonly app: string;
  /** Of a window that has asked for nothing yet. */
  open(): Promise<TestWindow>;
  close(): Promise<void>;
}

/** Three keys, two of them in Dutch. */
export async function openOther(variant: Variant = {}): Promise<OtherProject> {
  const folder = await temporaryFolder();
  const service = await OtherService.start(variant);
  const { content } = service;
  const title = content.put({ namespace: "cart", key: "title" }, "Your cart / basket");
  const items = content.put({ namespace: "cart", key: "items" }, { one: "item", other: "items" });
  content.put({ key: "Log out" }, "Log out");
  content.translate("nl", title.hash, "Je mandje");
  content.translate("nl", items.hash, { one: "ding", other: "dingen" });
  content.pass(60);
  const { baseUrl } = service;
  const { token } = OtherService;
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
