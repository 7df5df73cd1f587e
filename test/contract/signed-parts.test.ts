import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isJsonObject, type Json, type JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { verifyDocument } from '@agent-marketplace/sdk/document';
import { expect, it } from 'vitest';

const DOCUMENTS = ['openapi.json', 'openapi-operator.json'];
/** What buyers and sellers wrote, and the signature of the answer itself. */
const NOT_STATED = ['content', 'preview', 'provenance', 'query'];

const texts = await Promise.all(
  DOCUMENTS.map((name) => readFile(join(import.meta.dirname, '../../docs', name), 'utf8')),
);

/** Every answer that is recorded, with the name of its operation. */
const answers = texts.flatMap((text) => {
  const { paths } = JSON.parse(text) as { paths: Record<string, Record<string, JsonObject>> };
  return Object.values(paths).flatMap((methods) =>
    Object.values(methods).flatMap((operation) =>
      examplesIn(operation.responses).map((answer) => [String(operation.operationId), answer] as const),
    ),
  );
});

function examplesIn(value: Json | undefined): JsonObject[] {
  if (Array.isArray(value)) return value.flatMap(examplesIn);
  if (!isJsonObject(value)) return [];
  const { example, schema: _, ...others } = value;
  return [...(isJsonObject(example) ? [example] : []), ...Object.values(others).flatMap(examplesIn)];
}

/** The digests of everything that has a signature, wherever it stands. */
function signedDigests(value: Json | undefined): string[] {
  if (Array.isArray(value)) return value.flatMap(signedDigests);
  if (!isJsonObject(value)) return [];
  if (typeof value.signature === 'string' && typeof value.digest === 'string') return [value.digest];
  return Object.entries(value).flatMap(([name, one]) =>
    NOT_STATED.includes(name) ? [] : signedDigests(one),
  );
}

const withStatements = answers.filter(([, answer]) => signedDigests(answer).length > 0);
const keys = { keys: [], get: () => undefined };

it('answers are recorded of operations that show what was signed', () => {
  const names = new Set(withStatements.map(([name]) => name));
  for (const name of [
    'rateListing',
    'getDemandLedger',
    'getListingHistory',
    'updateListing',
    'listOperatorActions',
  ])
    expect(names).toContain(name);
});

it.each(withStatements.filter(([name]) => name !== 'admit'))(
  'nothing signed in an answer of %s is passed over',
  async (_, answer) => {
    const { parts } = await verifyDocument(answer, keys);
    const seen = parts.flatMap(({ signed }) => signed.map(({ digest }) => digest));
    expect(seen.toSorted()).toEqual(signedDigests(answer).toSorted());
    // Nobody is believed where no key is known.
    expect(parts.filter(({ verification }) => verification.valid)).toEqual([]);
  },
);
