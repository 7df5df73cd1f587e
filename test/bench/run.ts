import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { REPOSITORY } from '@agent-marketplace/devkit/marketplace.ts';
import { HAS_PROCESSES, processorSecondsOf, runtimeOver } from '../runtime-process.ts';
import { settingOf, startCatalogue } from './catalogue.ts';
import { fewRequests, findLoadTool, type Load, type LoadTool, measureLoad, type Rate } from './load.ts';
import { type MeasuredRow, machine, median, type Results, tableOf } from './report.ts';
import { LARGE_LISTINGS, type Row, rowsOf, SMALL_LISTINGS, type WrittenRows } from './rows.ts';
import { startSeller } from './seller.ts';

const { values: options } = parseArgs({
  options: {
    /** A few requests of every load over few listings: fails if any is refused, and measures nothing. */
    quick: { type: 'boolean', default: false },
    /** Only rows whose id holds this text. */
    only: { type: 'string', default: '' },
    /** A folder that keeps the filled catalogues from run to run. */
    state: { type: 'string' },
    rounds: { type: 'string', default: '4' },
    seconds: { type: 'string', default: '1' },
  },
});

interface Measuring {
  readonly tool: LoadTool;
  readonly rounds: number;
  readonly seconds: number;
  readonly processorSeconds: () => number;
}

/** Each round measures the row and all it is compared with, one after the other; a ratio never spans rounds. */
async function measure(
  row: Row,
  { tool, rounds, seconds, processorSeconds }: Measuring,
): Promise<MeasuredRow> {
  const loads: readonly Load[] = [row.load, ...row.comparisons.map(({ load }) => load)];
  for (const load of loads) await measureLoad(tool, load, 1);
  const measured: Rate[][] = [];
  for (let round = 0; round < rounds; round++) {
    const rates: Rate[] = [];
    // Starting elsewhere each round, so that none always comes after the same one.
    for (let step = 0; step < loads.length; step++) {
      const index = (step + round) % loads.length;
      rates[index] = await measureLoad(tool, loads[index] as Load, seconds, processorSeconds);
    }
    measured.push(rates);
  }
  const column = (index: number, of: keyof Rate) => measured.map((round) => round[index]?.[of] ?? Number.NaN);
  const ratiosOf = (rates: readonly number[], others: readonly number[]) =>
    rates.map((rate, round) => rate / (others[round] ?? Number.NaN));
  return {
    id: row.id,
    title: row.title,
    perSecond: median(column(0, 'perSecond')),
    processorUs: median(column(0, 'processorUs')),
    comparisons: row.comparisons.map(({ with: other, target, floor }, index) => {
      const ratios = ratiosOf(column(0, 'perSecond'), column(index + 1, 'perSecond'));
      return {
        with: other,
        ratio: median(ratios),
        spread: [Math.min(...ratios), Math.max(...ratios)],
        perSecond: median(column(index + 1, 'perSecond')),
        processorUs: median(column(index + 1, 'processorUs')),
        processorRatio: median(ratiosOf(column(index + 1, 'processorUs'), column(0, 'processorUs'))),
        ...(target === undefined ? {} : { target }),
        ...(floor === undefined ? {} : { floor }),
      };
    }),
  };
}

/** Whether every answer of the row and of all it is compared with is a success; else says what was not. */
async function check(row: Row): Promise<boolean> {
  try {
    for (const { load } of [row, ...row.comparisons]) await measureLoad(fewRequests, load, 1);
    for (const { with: other, load, countWritten } of row.comparisons) {
      if (countWritten === undefined) continue;
      const own = await writtenBy(row.load, countWritten);
      const others = await writtenBy(load, countWritten);
      if (own !== others) throw new Error(`It wrote ${own}, and ${others} was written by: ${other}`);
    }
    console.log(`${row.id}: ok`);
    return true;
  } catch (error) {
    console.error(`${row.id}: ${error instanceof Error ? error.message : String(error)}`);
    return false;
  }
}

/** Rows that a few requests write. */
async function writtenBy(load: Load, countWritten: () => Promise<WrittenRows>): Promise<string> {
  const before = await countWritten();
  await measureLoad(fewRequests, load, 1);
  const after = await countWritten();
  return JSON.stringify(
    Object.fromEntries(Object.entries(after).map(([name, count]) => [name, count - (before[name] ?? 0)])),
  );
}

async function checkAll(rows: readonly Row[]): Promise<void> {
  let failed = 0;
  for (const row of rows) if (!(await check(row))) failed++;
  console.log(`${rows.length - failed} of ${rows.length} rows run.`);
  if (failed > 0) process.exitCode = 1;
}

async function measureAll(rows: readonly Row[], processorSeconds: () => number): Promise<void> {
  const rounds = Number(options.rounds);
  const tool = await findLoadTool();
  const results: Results & { rows: MeasuredRow[] } = {
    measuredAt: new Date().toISOString(),
    machine: machine(),
    tool: tool.name,
    rows: [],
  };
  for (const row of rows) {
    const measured = await measure(row, {
      tool,
      rounds,
      seconds: Number(options.seconds),
      processorSeconds,
    });
    results.rows.push(measured);
    console.log(
      measured.comparisons.map((one) => `${row.id}: ${one.ratio.toFixed(3)} × ${one.with}`).join(', '),
    );
  }
  await writeFile(join(REPOSITORY, 'bench-results.json'), `${JSON.stringify(results, null, 2)}\n`);
  console.log(
    `\n${results.machine}; ${results.tool}; medians of ${rounds} rounds\n\n${tableOf(results.rows)}`,
  );
}

async function main(): Promise<void> {
  const folder = options.state ?? (await mkdtemp(join(tmpdir(), 'bench-')));
  const running: { close(): Promise<void> }[] = [];
  try {
    const seller = await startSeller();
    running.push(seller);
    console.log('Filling two catalogues …');
    const small = await startCatalogue(join(folder, 'small'), options.quick ? 100 : SMALL_LISTINGS);
    running.push(small.marketplace);
    const large = await startCatalogue(
      join(folder, 'large'),
      options.quick ? SMALL_LISTINGS : LARGE_LISTINGS,
    );
    running.push(large.marketplace);
    const setting = await settingOf(large, small, seller);
    const rows = rowsOf(setting).filter(({ id }) => id.includes(options.only));
    if (rows.length === 0) throw new Error(`No row has ${options.only} in its id.`);
    const runtime = HAS_PROCESSES ? runtimeOver(await realpath(join(folder, 'large'))) : null;
    await (options.quick
      ? checkAll(rows)
      : measureAll(rows, () => (runtime === null ? Number.NaN : processorSecondsOf(runtime))));
  } finally {
    await Promise.all(running.map((one) => one.close()));
    if (options.state === undefined) await rm(folder, { recursive: true, force: true });
  }
}

await main();
