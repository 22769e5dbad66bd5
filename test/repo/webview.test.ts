/** The content security policy of the translation editor's page, and the check of its calls. */
import { expect, it } from "vitest";
import { read, sources } from "./tree.ts";

const editor = read("src/features/translation-editor/translation-editor-provider.ts");

it("loads only its own script", () => {
  const [, policy] = /const policy = `([^`]+)`/u.exec(editor) ?? [];
  expect(policy).toBe("default-src 'none'; style-src ${webview.cspSource}; script-src 'nonce-${nonce}'");
  expect(editor).toContain("localResourceRoots: [dist]");
  expect(editor).toContain("retainContextWhenHidden: false");
});

it("inserts no HTML and sends requests only to the extension", () => {
  const forbidden =
    /innerHTML|outerHTML|insertAdjacentHTML|dangerouslySetInnerHTML|createContextualFragment|document\.write\(|fetch\(|XMLHttpRequest|WebSocket|localStorage|sessionStorage/u;
  const found = [...sources(/^src\/webview\//)].filter(([, text]) => forbidden.test(text));
  expect(found.map(([path]) => path)).toEqual([]);
});

it("checks the arguments of every call of the page", () => {
  const listeners = [...sources(/^src\/(webview|features\/translation-editor)\//)].filter(([, text]) =>
    /addEventListener\("message"|onDidReceiveMessage/u.test(text),
  );
  expect(listeners.map(([path]) => path)).toEqual([
    "src/features/translation-editor/editor-page.ts",
    "src/webview/translation-editor/page-state.ts",
  ]);
  expect(read("src/features/translation-editor/editor-page.ts")).toContain(
    "resolver: (name) => checkedFunction(this, name)",
  );
});

it("never receives the token", () => {
  const found = [...sources(/^src\/(webview|features\/translation-editor)\//)].filter(([, text]) =>
    /secrets|\w\.token\b|bearer/iu.test(text),
  );
  expect(found.map(([path]) => path)).toEqual([]);
});

it("draws the outline of the focus: no other rule sets one for an element that has it", () => {
  const css = read("src/webview/translation-editor/styles.css").replaceAll(/\/\*.*?\*\//gsu, "");
  const rules = [...css.matchAll(/([^{}]+)\{([^{}]*\boutline:[^{}]*)\}/gu)].map(([, selector = ""]) =>
    selector.trim(),
  );
  // The cell around the text box has the outline of its focus; selected cells are in forced colours.
  const others = rules.filter(
    (selector) => !/:focus\b|:focus-visible/u.test(selector) && !/textarea|aria-selected/u.test(selector),
  );
  expect(rules.length).toBeGreaterThan(3);
  expect(others).toEqual([]);
});
