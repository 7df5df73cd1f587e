import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { machine } from '../bench/report.ts';
import { tableOfMemory } from './memory.ts';
import { QUICK, type SoakPlan, sellersOf, soak } from './soak.ts';

// `pnpm soak`: half an hour of everything at once, and books that must agree at its end.

const { values: options } = parseArgs({
  options: {
    /** Some seconds of a few agents with one kill and one restart. */
    quick: { type: 'boolean', default: false },
    minutes: { type: 'string', default: '30' },
    agents: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    /** How much each isolate may hold in its heap, in MB; one that needs more ends the runtime. */
    heap: { type: 'string', default: '128' },
  },
});

const seconds = Number(options.minutes) * 60;
const plan: SoakPlan = options.quick
  ? QUICK
  : {
      seed: Number(options.seed),
      seconds,
      agents: Number(options.agents),
      sellers: sellersOf(18),
      restartSeconds: 60,
      leastDisturbances: 0,
      undisturbedSeconds: seconds / 3,
      sampleSeconds: 15,
      thinkMs: 6000,
    };

process.env.MINIFLARE_WORKERD_V8_FLAGS = `--max-old-space-size=${options.heap}`;
const { samples, wrong, differences, loggedErrors, balances, ...figures } = await soak({
  ...plan,
  onProgress: (line) => console.log(line),
});
console.log(`\n${machine()}; ${new Date().toISOString()}; heaps of ${options.heap} MB at most`);
console.log(JSON.stringify(figures, null, 2));
console.table(balances);
console.log(tableOfMemory(samples));
const kindsOf = (lines: readonly string[], kindOf: (line: string) => string) =>
  [...Map.groupBy(lines, kindOf)].map(([kind, { length }]) => `${length} times: ${kind}`);
for (const line of kindsOf(loggedErrors, (line) => line.slice(0, 160))) console.log(`logged ${line}`);
for (const line of kindsOf(differences, (line) => line.split(': ', 1)[0] ?? line)) console.error(line);
for (const line of wrong.slice(0, 20)) console.error(line);
const file = join(tmpdir(), `soak-${Date.now()}.json`);
await writeFile(file, JSON.stringify({ plan, figures, wrong, differences, loggedErrors }, null, 2));
console.log(`${wrong.length} wrong answers, ${differences.length} differences; all of them in ${file}`);
if (wrong.length + differences.length > 0) process.exitCode = 1;
