// Fills in forms in jsdom. Reads a file of one job a line, {schema, steps}, and prints one answer a
// line: {data, errors}, and the labels that the form shows.
import { readFileSync } from "node:fs";
import { JSDOM } from "jsdom";

const { window } = new JSDOM("<!doctype html><body></body>");
const names = ["window", "document", "navigator", "Event", "FocusEvent", "HTMLIFrameElement"];
for (const name of names) {
  Object.defineProperty(globalThis, name, { value: window[name], configurable: true });
}
// Only now, because React looks for the document when it is loaded.
const { mount, fill, submit } = await import("./form.mjs");

async function answer(job) {
  const container = document.body.appendChild(document.createElement("div"));
  const outcome = await mount(container, job.schema);
  await fill(container, job.steps);
  await submit(container, outcome);
  container.remove();
  const labels = [...container.querySelectorAll("label.control-label, legend")];
  return { ...outcome, labels: labels.map((it) => it.textContent) };
}

for (const line of readFileSync(process.argv[2], "utf8").split("\n")) {
  if (line) console.log(JSON.stringify(await answer(JSON.parse(line))));
}
process.exit(0);
