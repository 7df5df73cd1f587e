import type { AnyOperation } from '@agent-marketplace/core/kernel/operation/operation.ts';
import { apiOperations } from '@agent-marketplace/core/operations/api.ts';
import { ingressOperations } from '@agent-marketplace/core/operations/ingress.ts';
import { x402Operations } from '@agent-marketplace/core/operations/x402.ts';
import { inputFields } from '@agent-marketplace/core/testing/fixtures/operation-inputs.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { PRIVATE } from './fields.data.ts';
import { send, wireName } from './requests.ts';
import { expectNothingWritten, goodRequest, tryOperation } from './try-operation.ts';
import { createWorld, type World } from './world.ts';

// Every text that an operation takes is either searched for what must not be published, or is named in PRIVATE with who sees it.

const everything = [...apiOperations, ...ingressOperations, ...x402Operations];
/** What only reads keeps nothing that it was asked. */
const keeps = ({ http, movesMoney }: AnyOperation) => http.method !== 'get' || movesMoney === true;

const OF_A_FORM = new Set(['uuid', 'date', 'date-time']);

/** Fields that can hold any text, in whatever they nest it. */
function texts(operation: AnyOperation): string[] {
  const { fields, components } = inputFields(operation);
  const holdsText = (schema: unknown, depth = 0): boolean => {
    if (typeof schema !== 'object' || schema === null || depth > 6) return false;
    const {
      type,
      enum: values,
      const: one,
      format,
      items,
      properties,
      additionalProperties,
      $ref,
      ...rest
    } = schema as Record<string, unknown>;
    if (values !== undefined || one !== undefined) return false;
    const next = (part: unknown) => holdsText(part, depth + 1);
    if (typeof $ref === 'string') return next(components[$ref.split('/').at(-1) ?? '']);
    const variants = [rest.anyOf, rest.oneOf, rest.allOf].flat().filter((part) => part !== undefined);
    if (variants.length > 0) return variants.some(next);
    if (type === 'string') return !OF_A_FORM.has(String(format));
    if (type === 'array') return items === undefined || next(items);
    if (type !== undefined && type !== 'object') return false;
    const named = Object.values((properties ?? {}) as object);
    return named.length > 0 ? named.some(next) : additionalProperties !== false;
  };
  return [...fields].filter(([, schema]) => holdsText(schema)).map(([field]) => field);
}

// Written in pieces, so that scanners of repositories do not take the examples for leaks.
const SECRETS = [
  `-----BEGIN ${'PRIVATE KEY'}-----`,
  `AKIA${'IOSFODNN7EXAMPLE'}`,
  `ghp_${'a'.repeat(36)}`,
  `eyJ${'hbGciOiJIUzI1NiJ9'}.eyJ${'zdWIiOiIxMjM0NTY3ODkwIn0'}.${'dozjgNryP4J3jVmNHl0w5N'}`,
  '4242424242424242',
  '123-45-6789',
];

/** A good value of the field with the secret in it, as deep as it goes. */
function holding(operation: AnyOperation, field: string, given: unknown, secret: string): unknown[] {
  const shape = operation.input.shape[field] as { safeParse(value: unknown): { data?: unknown } };
  const encoded = encodeURIComponent(secret);
  const nested = typeof given === 'object' && given !== null && !Array.isArray(given) ? given : {};
  const candidates = [
    `Before ${secret} after`,
    secret,
    [`https://example.com/?with=${encoded}`],
    [secret],
    { ...nested, note: secret },
    { ...nested, name: secret },
    { ...nested, deep: [{ er: { list: ['x', secret] } }] },
    { ...nested, [secret]: true },
  ];
  // What is too long, of another kind or left out in reading would not be published either.
  return candidates.filter((candidate) => {
    const kept = JSON.stringify(shape.safeParse(candidate).data ?? null);
    return kept.includes(secret) || kept.includes(encoded);
  });
}

let world: World;
beforeAll(async () => {
  world = await createWorld();
});

describe('every text is searched, or it is said who sees it', () => {
  it.each(everything.filter(keeps).map((operation) => [operation.name, operation] as const))(
    '%s',
    (name, operation) => {
      const named = [...(operation.publicFields ?? []), ...Object.keys(PRIVATE[name] ?? {})];
      const advice =
        'Name each in `publicFields`, or with who sees it in PRIVATE of test/contract/fields.data.ts.';
      expect([...named].sort(), advice).toEqual(texts(operation).sort());
    },
  );

  it('of operations that exist', () => {
    const known = everything.filter(keeps).map(({ name }) => name);
    expect(Object.keys(PRIVATE).filter((name) => !known.includes(name))).toEqual([]);
  });
});

describe('what must not be published is refused by the name of its field, and not kept', () => {
  const published = everything.flatMap((operation) =>
    (operation.publicFields ?? []).map((field) => [operation.name, field, operation] as const),
  );

  it('in more than a few fields', () => expect(published.length).toBeGreaterThan(15));

  it.each(published)('%s.%s', async (_, field, operation) => {
    const good = await goodRequest(world, operation);
    const cases = SECRETS.flatMap((secret) =>
      holding(operation, field, good.input[field], secret).map((value) => ({ secret, value })),
    );
    expect(cases.length).toBeGreaterThan(2);
    await expectNothingWritten(world, async () => {
      for (const { secret, value } of cases) {
        const tried = await tryOperation(world, operation, {
          ...good,
          input: { ...good.input, [field]: value },
        });
        expect([tried.status, tried.code, tried.named], tried.text).toEqual([
          400,
          'sensitive_content',
          [wireName(operation, field)],
        ]);
        expect(tried.text).not.toContain(secret);
      }
    });
  });

  it.each(published)('%s.%s: a stranger is not told', async (_, field, operation) => {
    if (operation.auth === 'none') return;
    const good = await goodRequest(world, operation);
    const [value] = holding(operation, field, good.input[field], SECRETS[0] ?? '');
    const { apiKey: _key, headers: _secret, ...rest } = { ...good, input: { ...good.input, [field]: value } };
    expect((await send(world.market, operation, rest)).status).toBeOneOf([401, 403]);
  });
});
