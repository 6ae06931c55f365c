// The client of the language server: starts `warlock lsp` and speaks to it about `.warlock` files and their tables.

import { commands, type ExtensionContext, window, workspace } from "vscode";
import { LanguageClient, type LanguageClientOptions, type ServerOptions } from "vscode-languageclient/node";

const SELECTOR = [
  { scheme: "file", language: "warlock" },
  { scheme: "file", language: "warlock-table" },
  { scheme: "file", pattern: "**/{rules,variants}/**/*.{toml,csv}" },
];

let client: LanguageClient | undefined;

async function start(): Promise<void> {
  const [command, ...args] = workspace.getConfiguration("warlock").get<string[]>("command", ["warlock", "lsp"]);
  const server: ServerOptions = { command: command ?? "warlock", args };
  const options: LanguageClientOptions = {
    documentSelector: SELECTOR,
    synchronize: { fileEvents: workspace.createFileSystemWatcher("**/*.{warlock,toml,csv}") },
  };
  client = new LanguageClient("warlock", "Warlock", server, options);
  try {
    await client.start();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const hint = "install it with pip install 'warlock-rules[lsp]', or name it in the setting warlock.command";
    void window.showErrorMessage(`The Warlock language server does not start (${reason}): ${hint}`);
  }
}

export async function activate(context: ExtensionContext): Promise<void> {
  context.subscriptions.push(
    commands.registerCommand("warlock.restart", async () => {
      await deactivate();
      await start();
    }),
  );
  await start();
}

export async function deactivate(): Promise<void> {
  const running = client;
  client = undefined;
  await running?.stop();
}
