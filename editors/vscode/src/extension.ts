// Starts the language server, restarts it, and shows its state.

import * as vscode from "vscode";
import {
  LanguageClient,
  LanguageClientOptions,
  ServerOptions,
  State,
} from "vscode-languageclient/node";

/** The files that the server judges, whatever language an editor takes them for. */
const FILES = [
  "**/*.{tf,tofu,tfvars}",
  "**/*.{tf,tofu,tfvars}.json",
  "**/*.tfvars{,.json}.{example,sample,template,dist}",
  "**/.terraschema.hcl",
  "**/*.rules.hcl",
];

/** Extensions that know values files. */
const OTHERS = ["hashicorp.terraform", "opentofu.vscode-opentofu", "gamunu.opentofu"];

let client: LanguageClient | undefined;
let status: vscode.StatusBarItem;
let log: vscode.OutputChannel;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  log = vscode.window.createOutputChannel("terraschema");
  status = vscode.window.createStatusBarItem("terraschema", vscode.StatusBarAlignment.Left);
  status.name = "terraschema";
  status.command = "terraschema.showLog";
  context.subscriptions.push(
    log,
    status,
    vscode.commands.registerCommand("terraschema.restart", restart),
    vscode.commands.registerCommand("terraschema.showLog", () => log.show()),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("terraschema")) {
        void restart();
      }
    }),
  );
  if (!OTHERS.some((id) => vscode.extensions.getExtension(id))) {
    context.subscriptions.push(configureValuesFiles());
  }
  await start();
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}

async function restart(): Promise<void> {
  const running = client;
  client = undefined;
  // A server that never started cannot be stopped.
  await running?.stop().catch(() => undefined);
  await start();
}

async function start(): Promise<void> {
  const settings = vscode.workspace.getConfiguration("terraschema");
  const command = settings.get<string>("path") || "terraschema";
  const server: ServerOptions = { command, args: ["lsp"] };
  const options: LanguageClientOptions = {
    documentSelector: FILES.map((pattern) => ({ scheme: "file", pattern })),
    outputChannel: log,
    initializationOptions: {
      notes: settings.get<boolean>("notes"),
      alongside: alongside(settings.get<string>("alongside")),
    },
  };
  client = new LanguageClient("terraschema", "terraschema", server, options);
  client.onDidChangeState((event) => show(event.newState, command));
  try {
    await client.start();
  } catch (error) {
    show(State.Stopped, command);
    log.appendLine(`${command} lsp does not start: ${String(error)}`);
    const help = "Open settings";
    const text = `terraschema does not start: "${command}" was not found, or is too old.`;
    void vscode.window.showErrorMessage(text, help).then((chosen) => {
      if (chosen === help) {
        void vscode.commands.executeCommand("workbench.action.openSettings", "terraschema.path");
      }
    });
  }
}

/** The server that another extension runs, if it reports some of the same. */
function alongside(setting: string | undefined): string | undefined {
  const isInstalled = vscode.extensions.getExtension("hashicorp.terraform") !== undefined;
  const isWanted = setting === "terraform-ls" || (setting !== "none" && isInstalled);
  return isWanted ? "terraform-ls" : undefined;
}

function show(state: State, command: string): void {
  const isRunning = state === State.Running;
  const isStarting = state === State.Starting;
  const icon = isRunning ? "check" : isStarting ? "sync~spin" : "error";
  status.text = `$(${icon}) terraschema`;
  status.tooltip = isRunning ? `${command} lsp is running` : `${command} lsp is not running`;
  status.show();
}

/** Comments and brackets of values files, where no other extension knows them. */
function configureValuesFiles(): vscode.Disposable {
  return vscode.languages.setLanguageConfiguration("terraform-vars", {
    comments: { lineComment: "#", blockComment: ["/*", "*/"] },
    brackets: [
      ["{", "}"],
      ["[", "]"],
      ["(", ")"],
    ],
    autoClosingPairs: [
      { open: "{", close: "}" },
      { open: "[", close: "]" },
      { open: "(", close: ")" },
      { open: "\"", close: "\"", notIn: [vscode.SyntaxTokenType.String] },
    ],
    indentationRules: {
      increaseIndentPattern: /[{[(][^"}\])]*$/,
      decreaseIndentPattern: /^\s*[}\])]/,
    },
  });
}
