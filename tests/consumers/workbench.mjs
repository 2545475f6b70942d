// Works in VS Code as a person does, in a module whose values file has a broken rule and a mistyped name.
// Arguments: the directory of code-server, the .vsix of the extension, the command, a directory for VS Code's own files,
// the module, which has a prod.tfvars. Prints what VS Code shows, in a line each, and the file that is saved at the end.
//
// TERRASCHEMA_PICTURES names a directory for pictures, CHROMIUM another browser than the pinned one.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { launch } from "./launch.mjs";

const [codeServer, extension, command, home, module] = process.argv.slice(2);
const values = join(module, "prod.tfvars");
/** So long may a busy machine take; nothing depends on it. */
const PATIENCE = 180_000;
/** After so long a key is pressed again that an editor which is still busy did not take. */
const AGAIN = 5_000;

const entry = [
  join(codeServer, "out/node/entry.js"),
  ...["--user-data-dir", join(home, "data"), "--extensions-dir", join(home, "extensions")],
];

const SETTINGS = {
  // VS Code's server has the PATH of a login shell.
  "terraschema.path": command,
  "chat.disableAIFeatures": true,
  "workbench.secondarySideBar.defaultVisibility": "hidden",
};

function install() {
  mkdirSync(join(home, "data/User"), { recursive: true });
  writeFileSync(join(home, "data/User/settings.json"), JSON.stringify(SETTINGS));
  const command = [...entry, "--install-extension", extension];
  const done = spawnSync(process.execPath, command, { encoding: "utf8" });
  if (done.status !== 0) throw new Error(done.stdout + done.stderr);
}

/** The first result that is not undefined. */
async function patiently(what, look) {
  for (const end = Date.now() + PATIENCE; Date.now() < end; ) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`${what}: nothing came`);
}

/** A port that nothing listens at. */
function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** Starts the server; resolves once it answers. */
async function serve(port) {
  const address = ["--auth", "none", "--bind-addr", `127.0.0.1:${port}`];
  const quiet = ["telemetry", "update-check", "workspace-trust", "getting-started-override"];
  const options = [...address, ...quiet.map((it) => `--disable-${it}`)];
  const server = spawn(process.execPath, [...entry, ...options], { stdio: "ignore" });
  await patiently("code-server", async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined);
    return answer?.ok || undefined;
  });
  return server;
}

/** Presses a key while others are held. */
async function press(page, ...keys) {
  for (const it of keys.slice(0, -1)) await page.keyboard.down(it);
  await page.keyboard.press(keys.at(-1));
  for (const it of keys.slice(0, -1).reverse()) await page.keyboard.up(it);
}

/** The texts of the elements that keys bring. */
function brought(page, keys, selector) {
  return patiently(selector, async () => {
    await press(page, ...keys);
    const options = { visible: true, timeout: AGAIN };
    const found = await page.waitForSelector(selector, options).catch(() => undefined);
    if (!found) return undefined;
    return page.$$eval(selector, (all) =>
      all.map((it) => it.innerText.replace(/\s+/g, " ").trim()),
    );
  });
}

const shown = (page, selector) => page.waitForSelector(selector, { timeout: PATIENCE });
const gone = (page, selector) => page.waitForSelector(selector, { hidden: true, timeout: PATIENCE });

async function picture(page, name) {
  const dir = process.env.TERRASCHEMA_PICTURES;
  if (dir) await page.screenshot({ path: join(dir, `${name}.png`) });
}

async function work(page) {
  await shown(page, ".squiggly-error");
  await shown(page, ".squiggly-warning");
  console.log("squiggles: an error and a warning");

  const panel = ["Control", "Shift", "M"];
  const rows = await brought(page, panel, ".markers-panel .monaco-list-row .marker-message-line");
  const rules = rows.map((it) => it.match(/terraschema (\S+)/)?.[1]).filter(Boolean);
  console.log(`problems: ${rules.join(", ")}`);
  await picture(page, "problems");

  // The value goes, and one that the rule lists comes.
  await page.click(".view-lines .view-line");
  await press(page, "Control", "Home");
  await press(page, "End");
  await press(page, "Backspace");
  const list = ".suggest-widget.visible .monaco-list-row .label-name";
  const offered = await brought(page, ["Control", "Space"], list);
  console.log(`completion: ${offered.join(", ")}`);
  await picture(page, "completion");
  await press(page, "Enter");
  await gone(page, ".suggest-widget.visible");
  await gone(page, ".squiggly-error");

  await press(page, "ArrowDown");
  await press(page, "Home");
  const menu = ".action-widget .monaco-list-row.action .title";
  const fixes = await brought(page, ["Control", "."], menu);
  console.log(`quick fixes: ${fixes.join(", ")}`);
  await picture(page, "quick-fix");
  await press(page, "Enter");
  await gone(page, ".squiggly-warning");

  const before = readFileSync(values, "utf8");
  await press(page, "Control", "s");
  const after = await patiently("the saved file", () => {
    const text = readFileSync(values, "utf8");
    return text && text !== before ? text : undefined;
  });
  console.log(`saved: ${after.trim().replaceAll("\n", ", ")}`);
}

install();
const port = await freePort();
const server = await serve(port);
const browser = await launch();
try {
  const page = await browser.newPage();
  await page.setViewport({ width: 1000, height: 560 });
  const open = JSON.stringify([["openFile", `vscode-remote://127.0.0.1:${port}${values}`]]);
  const query = new URLSearchParams({ folder: module, payload: open });
  await page.goto(`http://127.0.0.1:${port}/?${query}`);
  await work(page).catch(async (error) => {
    await picture(page, "failed");
    throw error;
  });
} finally {
  await browser.close();
  server.kill();
}
