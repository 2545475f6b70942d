// Has VS Code's language service for JSON judge values as an editor does, and asks it what it shows.
// Reads a file of one job a line, {schema, values} or {schema, text, hover, complete}, and prints one
// answer a line: {verdicts, complaints} or {error}, or {hover, complete}: what stands in the window
// at the first place of the text `hover`, and the proposals behind the text `complete`.
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import json from "vscode-json-languageservice";

const SCHEMA = "file:///schema.json";

function service(schema) {
  const out = json.getLanguageService({});
  out.configure({ schemas: [{ uri: SCHEMA, fileMatch: ["*.tfvars.json"], schema }] });
  return out;
}

function open(languages, text) {
  const file = json.TextDocument.create("file:///terraform.tfvars.json", "json", 1, text);
  return [file, languages.parseJSONDocument(file)];
}

async function judge({ schema, values }) {
  const languages = service(schema);
  const verdicts = [];
  const complaints = new Set();
  for (const value of values) {
    const [file, tree] = open(languages, JSON.stringify(value));
    const told = await languages.doValidation(file, tree, { schemaValidation: "error" });
    // 768: a schema that cannot be resolved; 1: an error.
    const faults = told.filter((it) => it.code === 768);
    if (faults.length) return { error: faults.map((it) => it.message).join("\n") };
    const errors = told.filter((it) => it.severity === 1);
    verdicts.push(errors.length === 0);
    told.filter((it) => it.severity !== 1).forEach((it) => complaints.add(it.message));
  }
  return { verdicts, complaints: [...complaints] };
}

async function show({ schema, text, hover, complete }) {
  const languages = service(schema);
  const [file, tree] = open(languages, text);
  const over = await languages.doHover(file, file.positionAt(text.indexOf(hover) + 1), tree);
  const behind = file.positionAt(text.indexOf(complete) + complete.length);
  const proposals = await languages.doComplete(file, behind, tree);
  const words = (it) => it?.value ?? it ?? "";
  return {
    hover: over?.contents.map(words).join("\n") ?? "",
    complete: proposals.items.map((it) => ({ label: it.label, documentation: words(it.documentation) })),
  };
}

for await (const line of createInterface({ input: createReadStream(process.argv[2]) })) {
  if (!line) continue;
  const job = JSON.parse(line);
  console.log(JSON.stringify(await (job.values ? judge(job) : show(job))));
}
