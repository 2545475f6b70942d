// A headless Chromium for other scripts. CHROMIUM names another one than the pinned one.
import puppeteer from "puppeteer-core";

export async function launch() {
  const own = process.env.CHROMIUM;
  if (own) return puppeteer.launch({ executablePath: own, args: ["--no-sandbox"] });
  // It unpacks the browser where temporary files stand.
  process.env.TMPDIR = import.meta.dirname;
  const { default: chromium } = await import("@sparticuz/chromium");
  const executablePath = await chromium.executablePath();
  return puppeteer.launch({ executablePath, args: chromium.args, headless: "shell" });
}
