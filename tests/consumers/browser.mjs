// Fills in the forms of forms.json in a real browser, and takes a picture of the first.
//
//   node browser.mjs TERRASCHEMA CHROMIUM BUNDLE PICTURE
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import puppeteer from "puppeteer-core";

const [terraschema, chromium, bundle, picture] = process.argv.slice(2);
const flags = ["--stdout", "--annotations", "--disallow-additional-properties"];

function check(what, isTrue, detail) {
  console.log(`${isTrue ? "ok" : "failed"}: ${what}`);
  if (!isTrue) throw new Error(JSON.stringify(detail));
}

async function run(page, { example, steps, refused }) {
  const schema = JSON.parse(execFileSync(terraschema, ["-i", example, ...flags]));
  await page.setContent('<div class="container" style="padding: 16px"><div id="form"></div></div>');
  await page.addStyleTag({ path: join(bundle, "page.css") });
  await page.addScriptTag({ path: join(bundle, "page.js") });
  await page.evaluate((schema, steps) => window.run(schema, steps), schema, steps);
  return async () => {
    const outcome = await page.evaluate(() => window.submit());
    if (refused) {
      const isTold = outcome.errors.some((it) => it.includes(refused));
      return check(`${example} is refused: ${refused}`, isTold, outcome);
    }
    check(`${example} is submitted`, outcome.data !== null, outcome);
    const file = join(bundle, "submitted.tfvars.json");
    writeFileSync(file, JSON.stringify(outcome.data));
    execFileSync(terraschema, ["validate", "-i", example, "-var-file", file]);
    check("terraschema validate accepts it", true);
  };
}

const browser = await puppeteer.launch({ executablePath: chromium, args: ["--no-sandbox"] });
const page = await browser.newPage();
await page.setViewport({ width: 760, height: 400 });
for (const [index, job] of JSON.parse(readFileSync("tests/consumers/forms.json", "utf8")).entries()) {
  const finish = await run(page, job);
  if (index === 0) await page.screenshot({ path: picture, fullPage: true, optimizeForSpeed: false });
  await finish();
}
await browser.close();
