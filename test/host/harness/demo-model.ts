/** Controls the language models of `test/demo/model` and reads their requests. */
import { commands, lm } from "vscode";
import { waitFor } from "./wait-for.ts";

/** Replaces the available models (each is named after its behaviour) and clears the request log. */
export async function setModels(...behaviours: readonly string[]): Promise<void> {
  await commands.executeCommand("demoModel.behave", ...behaviours);
  await waitFor("VS Code has the models", async () => {
    const models = await lm.selectChatModels();
    return models.map(({ id }) => id).join() === behaviours.join();
  });
}

/** Returns the messages of each request, in order. */
export async function requests(): Promise<readonly (readonly string[])[]> {
  return (await commands.executeCommand<readonly (readonly string[])[]>("demoModel.requests")) ?? [];
}

/** Returns the names of the tools that were offered with the requests. */
export async function offeredTools(): Promise<readonly string[]> {
  return (await commands.executeCommand<readonly string[]>("demoModel.offered")) ?? [];
}

/** Completes the requests that are waiting for a response. */
export async function releaseResponses(): Promise<void> {
  await commands.executeCommand("demoModel.release");
}
