/** The demo project. */
import type { Context } from "./context.ts";
import type { Given } from "./settings.ts";
import type { Connection } from "./store/store.ts";
export const DEMO_PROJECT: Given = { slug: "webshop", name: "Webshop", type: "laravel" };
export function seedDemo(_context: Context, _connection: Connection): void {}
