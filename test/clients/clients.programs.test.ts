import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { TEST_BASE_URL } from '@agent-marketplace/core/testing/marketplace/workers-harness.ts';
import openapiTS, { astToString } from 'openapi-typescript';
import { generate } from 'orval';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, type World } from '../contract/world.ts';
import { SEND, WITH_OPENAPI_FETCH, WITH_ORVAL } from './programs.data.ts';

// Clients that two well-known generators make of the OpenAPI document compile under strict TypeScript, and buy.

const DOCUMENT = join(import.meta.dirname, '../../docs/openapi.json');
const MODULES = join(import.meta.dirname, 'node_modules');

const folder = mkdtempSync(join(tmpdir(), 'openapi-clients-'));
const inFolder = (name: string) => join(folder, name);
afterAll(() => rmSync(folder, { recursive: true }));

beforeAll(async () => {
  symlinkSync(MODULES, inFolder('node_modules'));
  writeFileSync(inFolder('package.json'), '{"type":"module"}');
  const document = JSON.parse(readFileSync(DOCUMENT, 'utf8'));
  writeFileSync(inFolder('schema.ts'), astToString(await openapiTS(document)));
  writeFileSync(inFolder('send.ts'), SEND);
  await generate(
    {
      input: { target: DOCUMENT },
      output: {
        target: inFolder('orval.ts'),
        client: 'fetch',
        override: { mutator: { path: inFolder('send.ts'), name: 'send' } },
        tsconfig: { compilerOptions: { allowImportingTsExtensions: true } },
      },
    },
    folder,
  );
  writeFileSync(inFolder('with-openapi-fetch.ts'), WITH_OPENAPI_FETCH);
  writeFileSync(inFolder('with-orval.ts'), WITH_ORVAL);
  writeFileSync(inFolder('tsconfig.json'), JSON.stringify({ compilerOptions: STRICT }));
}, 120_000);

const STRICT = {
  target: 'es2024',
  lib: ['es2024', 'dom', 'dom.iterable'],
  module: 'esnext',
  moduleResolution: 'bundler',
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  verbatimModuleSyntax: true,
  erasableSyntaxOnly: true,
  allowImportingTsExtensions: true,
  noEmit: true,
  types: [],
};

it('compile under strict TypeScript, with the programs that use them', () => {
  const tsc = spawnSync(process.execPath, [join(MODULES, 'typescript/bin/tsc'), '-p', folder], {
    encoding: 'utf8',
  });
  expect([tsc.status, tsc.stdout]).toEqual([0, '']);
});

describe('buy', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
  });

  it.each(['with-openapi-fetch', 'with-orval'])('%s', async (name) => {
    const { buy } = (await import(pathToFileURL(inFolder(`${name}.ts`)).href)) as Program;
    const listingId = await world.newListing({ priceCents: 250 });
    const { purchase, code } = await buy(
      { baseUrl: TEST_BASE_URL, fetch: (request) => fetchFrom(world, request) },
      { apiKey: world.buyer.apiKey, listingId },
    );
    expect(purchase).toMatchObject({
      amountCents: 250,
      content: { answer: 42 },
      contentMatchesReceipt: true,
      listingId,
      rail: 'wallet',
      status: 'held',
    });
    expect(code).toBe('purchase_not_found');
  });
});

interface Program {
  buy(
    connection: { baseUrl: string; fetch: (request: Request) => Promise<Response> },
    what: { apiKey: string; listingId: string },
  ): Promise<{ purchase: Record<string, unknown>; code: string | undefined }>;
}

async function fetchFrom({ market }: World, request: Request): Promise<Response> {
  const body = request.body === null ? {} : { body: await request.text() };
  const headers = Object.fromEntries(request.headers);
  return market.request(request.method, request.url.slice(TEST_BASE_URL.length), { headers, ...body });
}
