// Searches hostile texts for patterns and takes the time, as ECMA-262 with the `u` flag.
// Reads a file of one job a line, {pattern, pumps, probe}; a text is a pump over and over, and an end
// that breaks most patterns. Texts of `probe` characters tell which are the worst. Prints the worst of
// each pattern: {short, long}, milliseconds for 5,000 and 10,000 characters, or {over}, how many
// milliseconds were not enough for all of it.
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import vm from "node:vm";

const ENDS = ["!", "\n", ""];
// The most milliseconds that a pattern gets for everything.
const LIMIT = 60_000;

function text({ pump, end }, length) {
  return pump.repeat(Math.ceil(length / pump.length)).slice(0, length) + end;
}

// Milliseconds of the processor: the machine does other work as well.
function used() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

// The best of several rounds counts.
function time(expression, text, rounds) {
  let best = Infinity;
  for (let round = 0; round < rounds && (round === 0 || best * round < 200); round++) {
    const start = used();
    expression.test(text);
    best = Math.min(best, used() - start);
  }
  return best;
}

let job;
// What is tried now.
let shape;

globalThis.measure = () => {
  const expression = new RegExp(job.pattern, "u");
  const shapes = [];
  for (const pump of job.pumps) {
    for (const end of ENDS) {
      shape = { pump, end };
      shapes.push({ shape, probe: time(expression, text(shape, job.probe), 1) });
    }
  }
  shapes.sort((one, other) => other.probe - one.probe);
  const measured = shapes.slice(0, 2).map((it) => {
    shape = it.shape;
    const [short, long] = [5000, 10000].map((length) => time(expression, text(shape, length), 3));
    return { ...shape, short, long };
  });
  return measured.reduce((worst, it) => (it.long > worst.long ? it : worst));
};
// A search cannot be ended from inside of it, but by whoever runs the script.
const script = new vm.Script("measure()");

function answer() {
  try {
    return script.runInThisContext({ timeout: LIMIT });
  } catch (error) {
    if (error.code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
    return { ...shape, over: LIMIT };
  }
}

for await (const line of createInterface({ input: createReadStream(process.argv[2]) })) {
  if (!line) continue;
  job = JSON.parse(line);
  console.log(JSON.stringify(answer()));
}
