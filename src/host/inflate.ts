/** Unpacking for zips on this platform, as core/ports.ts asks for it. */
import { crc32, inflateRawSync } from "node:zlib";
import type { Inflate } from "../core/ports.ts";

export const inflate: Inflate = {
  inflateRaw: (packed, most) => inflateRawSync(packed, { maxOutputLength: Math.max(1, most) }),
  crc32: (bytes) => crc32(bytes),
};
