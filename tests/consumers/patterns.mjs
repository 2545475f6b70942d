// Searches texts for patterns as readers of JSON Schema do: as ECMA-262 with the `u` flag.
// Reads a file of one job a line, {pattern, texts}, and prints one answer a line: {found} or {error}.
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";

function answer({ pattern, texts }) {
  try {
    const expression = new RegExp(pattern, "u");
    return { found: texts.map((text) => expression.test(text)) };
  } catch (error) {
    return { error: String(error) };
  }
}

for await (const line of createInterface({ input: createReadStream(process.argv[2]) })) {
  if (line) console.log(JSON.stringify(answer(JSON.parse(line))));
}
