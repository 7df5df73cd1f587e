import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { modulesOf } from '@agent-marketplace/devkit/doc-samples/modules-of.ts';
import {
  PAGES_WITH_SAMPLES,
  type Sample,
  samplesOf,
} from '@agent-marketplace/devkit/doc-samples/samples-of.ts';
import { REPOSITORY } from '@agent-marketplace/devkit/repository.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { PageUnderTest } from './page-under-test.ts';
import { PAGES } from './pages.ts';
import { Terminal } from './terminal.ts';
import { openWorld, TIDES, type World } from './world.ts';

// Every sample of the documentation, run as it stands there: those of a page from top to bottom in one terminal, and those in
// TypeScript as one program. Not run is only what says on its page why not.

const isRun = ({ notRun, language }: Sample) => notRun === null && /^(sh|ts)$/.test(language);
const textOf = (page: string) => readFileSync(join(REPOSITORY, page), 'utf8');
const pages = globSync(PAGES_WITH_SAMPLES, { cwd: REPOSITORY })
  .filter((page) => samplesOf(textOf(page)).some(isRun))
  .sort();

/** What samples in TypeScript take as the reader's own. */
const READERS_OWN = `process.chdir(process.env.FOLDER);
const apiKey = process.env.API_KEY ?? process.env.KEY;
const { BASE: baseUrl, LISTING: listingId, ORDER: orderId, PAYER_KEY: privateKey } = process.env;
const account = privateKey && (await import('viem/accounts')).privateKeyToAccount(privateKey);
const deliver = async () => (${JSON.stringify(TIDES)});
const lookUp = async () => [{ at: '04:12' }];
`;

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world?.close());

it('every page with a sample that is run has a reader, and no other', () => {
  expect(Object.keys(PAGES).sort()).toEqual(pages);
});

it.each(pages)('the samples of %s', { timeout: 180_000 }, async (page) => {
  const reader = (await PAGES[page]?.(world)) as PageUnderTest;
  const { baseUrl, cards } = world.market;
  const standIns = {
    'http://localhost:8787/api': baseUrl,
    'https://market.example/api': baseUrl,
    ...reader.standIns,
  };
  const asRun = (text: string) =>
    Object.entries(standIns).reduce((done, [from, to]) => done.replaceAll(from, to), text);
  const terminal = await Terminal.open({
    folder: join(world.folder, page.replaceAll(/\W/g, '-')),
    cli: world.cli,
    variables: { BASE: baseUrl, ...reader.variables },
    onOutput: (text) => {
      for (const [line, url = ''] of text.matchAll(/^.*?(http:[^\s"]+)/gm))
        if (url.startsWith(`${cards?.url}/`) && !line.startsWith('HTTP ')) void world.payAt(url);
    },
  });
  try {
    const text = textOf(page);
    const module = modulesOf(text, isRun).at(-1);
    let program = module === undefined ? null : asRun(inProgram(module.text));
    const pending = [...(reader.before ?? [])];
    for (const sample of samplesOf(text, 'sh').filter(isRun)) {
      while (pending[0]?.[0].test(sample.text)) {
        const [, act] = pending.shift() ?? [];
        await terminal.run(typeof act === 'string' ? act : ((await act?.(terminal)) ?? ''));
      }
      if (program !== null && reader.programBefore?.test(sample.text)) {
        await terminal.runProgram(program, reader.programPrints);
        program = null;
      }
      await terminal.run(asRun(sample.text));
    }
    if (program !== null) await terminal.runProgram(program, reader.programPrints);
    expect(pending).toEqual([]);
    const refused = terminal.output
      .split('\n')
      .filter((line) => /^HTTP [45]/.test(line) && !reader.refusals?.test(line));
    expect(refused, terminal.output).toEqual([]);
    for (const printed of reader.prints) expect(terminal.output).toMatch(printed);
    await reader.check?.(terminal);
  } catch (error) {
    throw new Error(`${page}: ${error}\n${terminal.output}`, { cause: error });
  } finally {
    terminal.close();
  }
});

/** Imports are in the first line. */
function inProgram(module: string): string {
  const [imports = '', ...body] = module.split('\n');
  return [imports, READERS_OWN, ...body].join('\n');
}
