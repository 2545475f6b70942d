// Fills in forms in a headless Chromium by its mouse and its keys. Reads a file of one job a line,
// {schema, steps}, and prints one answer a line: {data, errors}, the labels that the form shows, and
// all that is to be seen of it.
//
// `--version` instead of a file says which browser it is. TERRASCHEMA_PICTURE names the file of a
// picture of the first form, CHROMIUM another browser than the pinned one.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { launch } from "./launch.mjs";

const picture = process.env.TERRASCHEMA_PICTURE;
const here = import.meta.dirname;

async function bundled() {
  const none = Object.fromEntries(["woff", "eot", "svg", "ttf"].map((it) => [`.${it}`, "empty"]));
  await build({
    entryPoints: [join(here, "page.mjs")],
    bundle: true,
    outdir: join(here, "bundle"),
    define: { "process.env.NODE_ENV": '"production"' },
    loader: { ...none, ".woff2": "dataurl" },
    logLevel: "warning",
  });
  return join(here, "bundle");
}

async function step(page, [action, place, text]) {
  const selector = action === "press" ? place : `[id="${place}"]`;
  const element = await page.waitForSelector(selector, { visible: true });
  if (action === "set") {
    await element.click({ count: 3 });
    await element.type(text);
    await page.keyboard.press("Tab");
  } else if (action === "choose") {
    const value = (it, label) => [...it.options].find((option) => option.textContent === label).value;
    await page.select(selector, await element.evaluate(value, text));
  } else {
    await element.click();
  }
}

async function answer(page, bundle, job, picture) {
  await page.setContent('<div class="container" style="padding: 16px"><div id="form"></div></div>');
  await page.addStyleTag({ path: join(bundle, "page.css") });
  await page.addScriptTag({ path: join(bundle, "page.js") });
  await page.evaluate((schema) => window.show(schema), job.schema);
  for (const it of job.steps) await step(page, it);
  if (picture) await page.screenshot({ path: picture, fullPage: true, optimizeForSpeed: false });
  await page.click("button[type=submit]");
  await page.waitForFunction(() => window.outcome.data || window.outcome.errors.length);
  return page.evaluate(() => {
    const labels = [...document.querySelectorAll("label.control-label, legend")];
    return {
      ...window.outcome,
      labels: labels.map((it) => it.textContent),
      seen: document.body.innerText,
    };
  });
}

const browser = await launch();
if (process.argv[2] === "--version") {
  console.log(await browser.version());
} else {
  const bundle = await bundled();
  const page = await browser.newPage();
  await page.setViewport({ width: 760, height: 400 });
  for (const [index, line] of readFileSync(process.argv[2], "utf8").split("\n").entries()) {
    const job = JSON.parse(line);
    console.log(JSON.stringify(await answer(page, bundle, job, index === 0 && picture)));
  }
}
await browser.close();
