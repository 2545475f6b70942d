// Compiles schemas and judges values with Ajv as it is without options: in strict mode. Annotated ones
// with `ajv-formats`, which asserts formats.
// Reads a file of one job a line, {schema, annotated, values}, and prints one answer a line:
// {verdicts} or {error}, and the complaints that Ajv only logs.
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import Ajv from "ajv";
import Ajv2020 from "ajv/dist/2020.js";
import formats from "ajv-formats";

let complaints = [];
console.warn = (text) => complaints.push(text);

function compiler(job) {
  const ajv = job.schema.$schema.includes("2020-12") ? new Ajv2020() : new Ajv();
  return job.annotated ? formats(ajv.addVocabulary(["x-terraform"])) : ajv;
}

function answer(job) {
  complaints = [];
  try {
    const validate = compiler(job).compile(job.schema);
    const verdicts = job.values.map((value) => validate(value));
    return { verdicts, complaints };
  } catch (error) {
    return { error: String(error), complaints };
  }
}

for await (const line of createInterface({ input: createReadStream(process.argv[2]) })) {
  if (line) console.log(JSON.stringify(answer(JSON.parse(line))));
}
