import type { AnyOperation } from '@agent-marketplace/core/kernel/operation/operation.ts';
import { apiOperations } from '@agent-marketplace/core/operations/api.ts';
import { documentedOperations } from '@agent-marketplace/core/operations/documented.ts';
import {
  changedInput,
  type InputPart,
  inputParts,
  pathInError,
} from '@agent-marketplace/core/testing/fixtures/input-parts.ts';
import { exampleFor, inputFields } from '@agent-marketplace/core/testing/fixtures/operation-inputs.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { CALLED, LINES, NO_TEXT } from './fields.data.ts';
import { hasBody, wireName } from './requests.ts';
import { expectNothingWritten, goodRequest, sharedRequest, tryOperation } from './try-operation.ts';
import { createWorld, type World } from './world.ts';

// What people and agents write for others shows something, in the order in which it is written, and holds no
// controls. Derived from the schemas: a text is one of these, or is named in NO_TEXT with the reason why it is not.

type Case = readonly [name: string, operation: AnyOperation, part: InputPart];

const casesOf = (operations: readonly AnyOperation[], isWanted: (part: InputPart) => boolean): Case[] =>
  operations.flatMap((operation) =>
    inputParts(operation)
      .filter(isWanted)
      .map((part) => [`${operation.name}.${part.path.join('.')}`, operation, part] as const),
  );

/** Why such a text may be let through, for whoever added the operation. */
const LINES_OR_NO_TEXT = '— if it may, name it in LINES or NO_TEXT of test/contract/fields.data.ts';

/** Any text at all, as far as its schema tells. */
const isFree = ({ schema: { type, enum: values, const: one, format, pattern } }: InputPart) =>
  type === 'string' && [values, one, format, pattern].every((limit) => limit === undefined);
const isUrl = ({ schema }: InputPart) => schema.format === 'uri';
const isId = ({ schema }: InputPart) => schema.format === 'uuid';

const free = casesOf(documentedOperations, isFree);
const texts = free.filter(([name]) => !Object.hasOwn(NO_TEXT, name));

let world: World;
beforeAll(async () => {
  world = await createWorld();
});

/** The refusals of one part of an input, by the schema. */
function faultsAt(operation: AnyOperation, { path }: InputPart, value: unknown): string[] {
  const { components, fields, required } = inputFields(operation);
  const given = required.map((field) => [field, exampleFor(fields.get(field) ?? {}, components)]);
  const input = changedInput(operation, Object.fromEntries(given), path, () => value);
  const issues = operation.input.safeParse(input).error?.issues ?? [];
  const at = pathInError(path, path[0] ?? '');
  return issues.filter((issue) => issue.path.join('.') === at).map(({ message }) => message);
}

async function expectRefused(
  operation: AnyOperation,
  { path }: InputPart,
  values: readonly unknown[],
  advice = '',
) {
  const good = await sharedRequest(world, operation);
  const at = pathInError(path, wireName(operation, path[0] ?? ''));
  await expectNothingWritten(world, async () => {
    for (const value of values) {
      const input = changedInput(operation, good.input, path, () => value);
      const { status, code, body, text } = await tryOperation(world, operation, { ...good, input });
      expect([status, code], `${text} ${advice}`).toEqual([400, 'validation_failed']);
      expect(body.errors, text).toEqual([{ message: expect.any(String), path: at }]);
    }
  });
}

describe('a text of a request', () => {
  it('is written for others, or named in NO_TEXT with the reason why it is not', () => {
    const names = free.map(([name]) => name);
    expect(Object.keys(NO_TEXT).filter((name) => !names.includes(name))).toEqual([]);
    expect([...LINES].filter((name) => !texts.some(([text]) => text === name))).toEqual([]);
    expect(texts.length).toBeGreaterThan(30);
    // Those of the door and of pay-per-query are served by other Workers, which this suite does not ask.
    expect(texts.filter(([, operation]) => !apiOperations.includes(operation))).toEqual([]);
  });

  it.each(texts)('%s: shows something, as it is written, without controls', async (name, operation, part) => {
    const controls = ['abc\u0007def', 'abc\u001b[2Jdef', 'abc\u0085def', 'abc\u0000def', 'abc\rdef'];
    const ends = LINES.has(name) ? [] : ['abc\ndef', 'abc\tdef', 'abc\u2028def'];
    const unseen = ['\u200b\u200b\u200b', '\u3164\u3164\u3164', '\u2800\u2800\u2800', '\u00ad\u00ad\u00ad'];
    const values = [...unseen, ...controls, ...ends, 'abc\u202emoc', 'abc\u2066def'];
    await expectRefused(operation, part, values, LINES_OR_NO_TEXT);
  });

  it.each(texts)('%s: is of any script', (name, operation, part) => {
    const lines = LINES.has(name) ? ['abc\n\n\tdef', 'abc\r\ndef'] : [];
    for (const text of ['می\u200cخواهم', '👩\u200d👩\u200d👧 xy', 'क्\u200dष abc', '東京データ', ...lines]) {
      expect(faultsAt(operation, part, text), text).toEqual([]);
    }
  });
});

describe('U+0000 is refused wherever a text or a name is, unless it is passed on as it came', () => {
  const isOpaque = ({ opaqueFields = [] }: AnyOperation, { path }: InputPart) =>
    opaqueFields.includes(path[0] ?? '');
  const ofBodies = apiOperations.filter(hasBody);
  const isText = ({ schema }: InputPart) => schema.type === 'string' || schema.type === undefined;
  const anyText = casesOf(ofBodies, isText).filter(
    ([, { http }, { path }]) => !http.path.includes(`{${http.names?.[path[0] ?? ''] ?? path[0]}}`),
  );
  const isMap = ({ schema: { additionalProperties } }: InputPart) =>
    additionalProperties !== undefined && additionalProperties !== false;
  const maps = casesOf(ofBodies, isMap);

  it.each(anyText.filter(([, operation, part]) => !isOpaque(operation, part)))(
    '%s',
    async (_, operation, part) => {
      await expectRefused(operation, part, ['a\u0000b']);
    },
  );

  it.each(maps.filter(([, operation, part]) => !isOpaque(operation, part)))(
    '%s: a name in it',
    async (_, operation, { path }) => {
      const good = await goodRequest(world, operation);
      const input = changedInput(operation, good.input, path, (value) => ({
        ...(value as object | undefined),
        'a\u0000b': 'x',
      }));
      const at = `${pathInError(path, wireName(operation, path[0] ?? ''))}.a\u0000b`;
      await expectNothingWritten(world, async () => {
        const { status, body } = await tryOperation(world, operation, { ...good, input });
        expect([status, body.errors]).toEqual([400, [{ message: 'Text may not hold U+0000.', path: at }]]);
      });
    },
  );

  it.each(maps.filter(([, operation, part]) => isOpaque(operation, part) && part.path.length === 1))(
    '%s: is passed on',
    async (_, operation, { path }) => {
      const good = await goodRequest(world, operation);
      const input = changedInput(operation, good.input, path, (value) => ({
        ...(value as object | undefined),
        'a\u0000b': ['\u0000'],
      }));
      const { code, body } = await tryOperation(world, operation, { ...good, input });
      expect(code, JSON.stringify(body)).not.toBe('validation_failed');
    },
  );
});

describe('a URL that others open', () => {
  it.each(casesOf(apiOperations, isUrl))('%s: is public, and only a URL', async (_, operation, part) => {
    await expectRefused(operation, part, [
      'https://user:pw@example.com/a.png',
      'https://example.com/a b',
      'https://example.com/"><script>',
      'https:///x',
      'https://127.0.0.1/a.png',
      'https://example.com/\u0000',
      `https://example.com/${'x'.repeat(2048)}`,
    ]);
  });
});

describe('a URL that the marketplace calls', () => {
  it('is named in NO_TEXT, whatever it is called as a text', () => {
    const named = free.filter(([name]) => /(ur[il]|origin)$/i.test(name)).map(([name]) => name);
    expect(named.length).toBeGreaterThan(4);
    expect(named.filter((name) => NO_TEXT[name] !== CALLED)).toEqual([]);
  });

  it.each(free.filter(([name]) => NO_TEXT[name] === CALLED))(
    '%s: is refused where no stranger could have a server',
    async (_, operation, part) => {
      await expectRefused(operation, part, [
        'https://10.0.0.1/deliver',
        'https://169.254.169.254/latest/meta-data',
        'https://[fd00::1]/deliver',
        'https://router.internal/deliver',
        'http://example.com/deliver',
        'https://user:pw@example.com/deliver',
        'file:///etc/passwd',
        'abc',
      ]);
    },
  );
});

describe('an id may be written in capitals', () => {
  const ids = casesOf(documentedOperations, isId);

  it.each(ids)('%s', (_, operation, { path }) => {
    const field = path[0] ?? '';
    const upper = 'ABCDEF01-2345-4678-9ABC-DEF012345678';
    const schema = operation.input.shape[field] as { parse(value: unknown): unknown };
    const given = path
      .slice(1)
      .reduceRight<unknown>((value, part) => (part === '[]' ? [value] : { [part]: value }), upper);
    const expected = JSON.stringify(given).replace(upper, upper.toLowerCase());
    expect(JSON.stringify(schema.parse(given))).toBe(expected);
  });

  it.each(
    casesOf(apiOperations, ({ path, schema }) => schema.format === 'uuid' && path.length === 1).filter(
      ([, { http }]) => http.method === 'get',
    ),
  )('%s: answers the same', async (_, operation, { path: [field = ''] }) => {
    const good = await goodRequest(world, operation);
    const asked = await tryOperation(world, operation, good);
    const input = { ...good.input, [field]: String(good.input[field]).toUpperCase() };
    const again = await tryOperation(world, operation, { ...good, input });
    expect([again.status, again.code]).toEqual([asked.status, asked.code]);
    expect(again.status).toBe(200);
  });
});
