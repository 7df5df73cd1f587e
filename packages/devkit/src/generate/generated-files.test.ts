import { stripTypeScriptTypes } from 'node:module';
import { apiOperations } from '@agent-marketplace/core/operations/api.ts';
import { HOSTILE, sampleOperations } from '@agent-marketplace/core/testing/fixtures/sample-operations.ts';
import { expect, it } from 'vitest';
import { generatedFiles } from './generated-files.ts';
import { printJson } from './print-json.ts';

const fileOf = (operations: typeof apiOperations, path: string) => generatedFiles(operations).get(path) ?? '';
const SDK = 'packages/sdk/src/generated/api.ts';

it.each([[apiOperations], [sampleOperations]])('writes the same every time', (operations) => {
  expect([...generatedFiles(operations)]).toEqual([...generatedFiles([...operations])]);
});

it('writes the OpenAPI document as JSON', () => {
  const text = fileOf(sampleOperations, 'docs/openapi.json');
  expect(text.endsWith('}\n')).toBe(true);
  expect(Object.keys(JSON.parse(text).paths)).toEqual(['/samples/{id}', '/samples']);
});

it('writes a module that imports nothing and runs', async () => {
  const source = fileOf(sampleOperations, SDK);
  expect(source).not.toMatch(/^\s*(import|export .* from)\b/m);
  const code = stripTypeScriptTypes(source);
  const { routes } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  expect(routes).toEqual({
    changeSample: {
      method: 'PATCH',
      path: '/samples/{id}',
      auth: 'seller',
      names: { sampleId: 'id', priceCents: 'price_cents' },
      idempotencyKey: true,
    },
    findSamples: {
      method: 'GET',
      path: '/samples',
      auth: 'optional',
      names: { minRating: 'min_rating' },
      idempotencyKey: false,
    },
    dropSample: { method: 'DELETE', path: '/samples/{id}', auth: 'agent', names: {}, idempotencyKey: true },
  });
});

it('types every operation by its own field names', () => {
  const source = fileOf(sampleOperations, SDK);
  expect(source).toContain('changeSample: { input: ChangeSampleInput; output: ChangeSampleOutput };');
  expect(source).toContain('  priceCents: number;');
  expect(source).toContain(
    '  tags?: {\n    key: string;\n    /** Default: `"it\'s"`. */\n    text?: string | null | undefined;\n  }[] | undefined;',
  );
  expect(source).toContain("export type FindSamplesOutput = {\n  kind: 'none';");
  expect(source).toContain('  q?: string | undefined;');
  expect(source).toMatch(/export type ErrorCode = .*'sample_stale'/);
  // Nothing gets out of a comment.
  expect(source).not.toContain(HOSTILE);
});

it('prints JSON as the repository formats it', () => {
  const long = Array.from({ length: 12 }, (_, index) => `a word number ${index}`);
  expect(printJson({ a: [1, 'x', {}], b: [], c: {}, d: [{ e: null }], skipped: undefined, long })).toBe(
    `{\n  "a": [1, "x", {}],\n  "b": [],\n  "c": {},\n  "d": [\n    {\n      "e": null\n    }\n  ],\n  "long": [\n${long
      .map((word) => `    "${word}"`)
      .join(',\n')}\n  ]\n}`,
  );
});
