/** The language model of test/demo/model in tests: what it does, and what it was asked. */
import { commands, lm } from "vscode";
import { waitFor } from "./wait-for.ts";

/** From now on there are these models, each named after what it does, and nothing was asked. */
export async function behave(...behaviours: readonly string[]): Promise<void> {
  await commands.executeCommand("demoModel.behave", ...behaviours);
  await waitFor("VS Code has the models", async () => {
    const models = await lm.selectChatModels();
    return models.map(({ id }) => id).join() === behaviours.join();
  });
}

/** The messages of each request, in order. */
export async function requests(): Promise<readonly (readonly string[])[]> {
  return (await commands.executeCommand<readonly (readonly string[])[]>("demoModel.requests")) ?? [];
}

/** The names of the tools that were offered with the requests. */
export async function offeredTools(): Promise<readonly string[]> {
  return (await commands.executeCommand<readonly string[]>("demoModel.offered")) ?? [];
}

/** Lets requests that wait be answered. */
export async function release(): Promise<void> {
  await commands.executeCommand("demoModel.release");
}
