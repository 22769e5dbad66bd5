/** The prompts and instructions of the package, as agents get them. */
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { TOOL_INPUTS } from "../../../src/agent-tools/tool-inputs.ts";
import { readInstructions, readPrompts } from "../../../src/mcp/chat-files.ts";
import { temporaryFolder } from "../support/node-platform.ts";

const CHAT = join(import.meta.dirname, "../../../media/chat");

test("have no name that only the editor knows, and name tools that there are", () => {
  const texts = [...readPrompts(CHAT).map(({ text }) => text), readInstructions(CHAT)];
  for (const text of texts) {
    expect(text).not.toMatch(/#projectTranslations|project_translations_|^---/mu);
    expect(text.trim()).toBe(text);
    expect(text.length).toBeGreaterThan(100);
  }
  const named = texts.flatMap((text) => text.match(/\b[a-z]+_(?:[a-z]+_?)+\b/gu) ?? []);
  expect(named.length).toBeGreaterThan(0);
  expect(Object.keys(TOOL_INPUTS)).toEqual(expect.arrayContaining([...new Set(named)]));
});

test("are the same where Git checks files out with CRLF", async () => {
  const { path, remove } = await temporaryFolder();
  cpSync(CHAT, path, { recursive: true });
  for (const file of readdirSync(path))
    writeFileSync(join(path, file), readFileSync(join(path, file), "utf8").replaceAll(/\r?\n/gu, "\r\n"));
  expect(readPrompts(path)).toEqual(readPrompts(CHAT));
  expect(readPrompts(path).every(({ description }) => description !== "")).toBe(true);
  expect(readInstructions(path)).toBe(readInstructions(CHAT));
  await remove();
});
