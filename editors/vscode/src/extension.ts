// Starts the language server, restarts it, shows its state, and chooses the input set.

import { execFile } from "node:child_process";

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
/** The input set that was chosen in this workspace; the setting counts if none was. */
let memory: vscode.Memento;
let log: vscode.OutputChannel;

/** Where the chosen input set is remembered. */
const CHOSEN = "inputSet";

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  memory = context.workspaceState;
  log = vscode.window.createOutputChannel("terraschema");
  status = vscode.window.createStatusBarItem("terraschema", vscode.StatusBarAlignment.Left);
  status.name = "terraschema";
  status.command = "terraschema.chooseInputSet";
  context.subscriptions.push(
    log,
    status,
    vscode.commands.registerCommand("terraschema.restart", restart),
    vscode.commands.registerCommand("terraschema.showLog", () => log.show()),
    vscode.commands.registerCommand("terraschema.chooseInputSet", chooseInputSet),
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
  const command = server();
  const run: ServerOptions = { command, args: ["lsp"] };
  const options: LanguageClientOptions = {
    documentSelector: FILES.map((pattern) => ({ scheme: "file", pattern })),
    outputChannel: log,
    initializationOptions: {
      notes: settings.get<boolean>("notes"),
      inputSet: inputSet(),
      alongside: alongside(settings.get<string>("alongside")),
    },
  };
  // The client shows an error of its own where there is nothing to start, and one error is enough.
  const problem = await tried(command);
  if (problem) {
    return reportStopped(command, problem);
  }
  client = new LanguageClient("terraschema", "terraschema", run, options);
  client.onDidChangeState((event) => show(event.newState, command));
  try {
    await client.start();
  } catch (error) {
    reportStopped(command, error);
  }
}

/** Why a command cannot be run; nothing if it can. */
function tried(command: string): Promise<Error | null> {
  return new Promise((resolve) => execFile(command, ["--version"], resolve));
}

function reportStopped(command: string, error: unknown): void {
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

/** The command that is the server. */
function server(): string {
  return vscode.workspace.getConfiguration("terraschema").get<string>("path") || "terraschema";
}

/** The input set with which expressions are evaluated; empty means all. */
function inputSet(): string {
  const setting = vscode.workspace.getConfiguration("terraschema").get<string>("inputSet");
  return memory.get<string>(CHOSEN) ?? setting ?? "";
}

/** Lets somebody choose one of the input sets of the module of the open file. */
async function chooseInputSet(): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  if (!client?.isRunning() || !document) {
    log.show();
    return;
  }
  const run = (command: string, argument: unknown) =>
    client?.sendRequest<string[] | null>("workspace/executeCommand", {
      command: `terraschema.server.${command}`,
      arguments: [argument],
    });
  const names = (await run("inputSets", document.uri.toString())) ?? [];
  const all = { label: "$(list-unordered) All input sets", name: "" };
  const items = [all, ...names.map((name) => ({ label: name, name }))];
  const placeHolder = "The values files with which expressions are evaluated";
  const chosen = await vscode.window.showQuickPick(items, { placeHolder });
  if (chosen) {
    await memory.update(CHOSEN, chosen.name);
    await run("useInputSet", chosen.name || null);
    show(State.Running, server());
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
  const set = inputSet();
  status.text = set ? `$(${icon}) terraschema: ${set}` : `$(${icon}) terraschema`;
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
