// Searches hostile texts for patterns and takes the time, as ECMA-262 with the `u` flag.
// Reads a file of one job a line, {pattern, pumps}; a text is a pump over and over, and an end that
// breaks most patterns. Prints the worst of each pattern: {short, long}, milliseconds for 5,000 and
// 10,000 characters.
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";

const ENDS = ["!", "\n", ""];

function text(pump, length, end) {
  return pump.repeat(Math.ceil(length / pump.length)).slice(0, length) + end;
}

function time(expression, text, rounds) {
  let best = Infinity;
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    expression.test(text);
    best = Math.min(best, performance.now() - start);
  }
  return best;
}

function answer({ pattern, pumps }) {
  const expression = new RegExp(pattern, "u");
  const worst = { long: 0, pump: pumps[0], end: ENDS[0] };
  for (const pump of pumps) {
    for (const end of ENDS) {
      const long = time(expression, text(pump, 10000, end), 1);
      if (long > worst.long) Object.assign(worst, { long, pump, end });
    }
  }
  // The machine does other work as well: the best of several counts.
  const [short, long] = [5000, 10000].map((length) => {
    const hostile = text(worst.pump, length, worst.end);
    return time(expression, hostile, worst.long > 1000 ? 2 : 7);
  });
  return Object.assign(worst, { short, long });
}

for await (const line of createInterface({ input: createReadStream(process.argv[2]) })) {
  if (line) console.log(JSON.stringify(answer(JSON.parse(line))));
}
