/**
 * Signs the demo's window in, once: as any extension may, by the command of Project Translations. Who signs out stays
 * signed out. The first window opens on something to see: the languages, code with a problem, and the tour.
 */
const { commands, Range, Uri, ViewColumn, window } = require("vscode");
const signIns = require("./sign-ins.json");

exports.activate = async ({ globalState }) => {
  await commands.executeCommand("projectTranslations.languages.focus");
  for (const { folder, baseUrl, token } of signIns) {
    if (globalState.get(baseUrl)) continue;
    const said = await commands.executeCommand("projectTranslations.signIn", {
      folder,
      baseUrl,
      token,
      confirm: false,
    });
    if (said.outcome === "done") await globalState.update(baseUrl, true);
    else void window.showErrorMessage(`The demo could not sign in: ${said.error?.message ?? said.outcome}`);
  }
  if (globalState.get("opened")) return;
  await globalState.update("opened", true);
  await openTour(Uri.file(signIns[0].folder));
};

async function openTour(folder) {
  // The underlined key is to be seen too.
  await commands.executeCommand("vscode.setEditorLayout", {
    orientation: 0,
    groups: [{ size: 0.62 }, { size: 0.38 }],
  });
  const code = Uri.joinPath(folder, "resources", "views", "cart.blade.php");
  const editor = await window.showTextDocument(code, { preview: false, viewColumn: ViewColumn.One });
  await commands.executeCommand("markdown.showPreviewToSide", Uri.joinPath(folder, "TOUR.md"));
  const { document } = editor;
  const { line } = document.positionAt(document.getText().indexOf("cart.remove"));
  const selection = new Range(line, 0, line, 0);
  await window.showTextDocument(document, { viewColumn: ViewColumn.One, selection });
}
