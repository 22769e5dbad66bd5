/**
 * Signs the demo's window in, once: as any extension may, by the command of Project Translations. Who signs out stays
 * signed out.
 */
const { commands, window } = require("vscode");
const signIns = require("./sign-ins.json");

exports.activate = async ({ globalState }) => {
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
};
