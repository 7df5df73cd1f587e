import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { describe, expect, it, test } from 'vitest';
import { timeFault } from '../sales/rails/usdc/usdc-times.rules.ts';
import { schemaFaults } from '../testing/fixtures/schema-faults.ts';
import { bazaar } from './extensions.rules.ts';
import { queryOf, queryStringOf, unreadableParameters } from './query-parameters.rules.ts';
import { readPayment } from './read-payment.ts';
import { networkName, unitsOf } from './terms.rules.ts';

describe('a query string as the schema sees it', () => {
  const schema = (properties: Record<string, JsonObject>): JsonObject => ({ type: 'object', properties });
  test.each<[Parameters<typeof queryOf>[0], JsonObject | null, JsonObject | null]>([
    [{}, null, null],
    [{ n: '1' }, null, { n: '1' }],
    [{ n: '1' }, schema({ n: { type: 'integer' } }), { n: 1 }],
    [{ n: '-1.5e3' }, schema({ n: { type: 'number' } }), { n: -1500 }],
    [{ n: '1e999' }, schema({ n: { type: 'number' } }), { n: '1e999' }],
    [{ n: '0x10' }, schema({ n: { type: 'number' } }), { n: '0x10' }],
    [{ n: '' }, schema({ n: { type: 'number' } }), { n: '' }],
    [
      { b: 'true', c: 'False' },
      schema({ b: { type: 'boolean' }, c: { type: 'boolean' } }),
      { b: true, c: 'False' },
    ],
    [{ s: '1' }, schema({ s: { type: ['string', 'integer'] } }), { s: '1' }],
    [{ s: 'null' }, schema({ s: { type: ['integer', 'null'] } }), { s: null }],
    [{ e: '2' }, schema({ e: { enum: [1, 2, 'x'] } }), { e: 2 }],
    [{ a: ['1', '2'] }, schema({ a: { type: 'array', items: { type: 'integer' } } }), { a: [1, 2] }],
    [{ a: '7' }, schema({ a: { type: 'array', items: { type: 'integer' } } }), { a: [7] }],
    [{ a: '[1,2]' }, schema({ a: { type: 'array' } }), { a: [1, 2] }],
    [{ o: '{"x":1}' }, schema({ o: { type: 'object' } }), { o: { x: 1 } }],
    [{ o: '[' }, schema({ o: { type: 'object' } }), { o: '[' }],
    [{ toString: 'x' }, schema({}), { toString: 'x' }],
  ])('%j', (parameters, inputSchema, expected) => {
    expect(queryOf(parameters, inputSchema)).toEqual(expected);
  });

  const nested = (depth: number) => `${'{"a":'.repeat(depth - 1)}{}${'}'.repeat(depth - 1)}`;
  test.each([
    ['a lone surrogate', '{"q":"\\ud800"}', 'A text is not valid Unicode.'],
    ['a key twice', '{"q":1,"q":2}', 'An object has the same key twice.'],
    ['32 levels', nested(32), 'A query is nested at most 32 levels deep.'],
    ['31 levels', nested(31), null],
    ['no JSON at all', '{"q":', null],
  ])('%s in an object or a list is named', (_, text, message) => {
    for (const [type, sent] of [
      ['object', text],
      [['array', 'null'], text],
      [['string', 'object'], text],
    ] as const) {
      const faults = unreadableParameters({ fine: 'x', q: sent }, schema({ q: { type } }));
      expect(faults).toEqual(message === null ? [] : [{ message, path: 'q' }]);
    }
    expect(unreadableParameters({ q: text }, schema({ q: { type: 'string' } }))).toEqual([]);
    expect(unreadableParameters({ q: [text, text] }, schema({ q: { type: 'array' } }))).toEqual([]);
    expect(unreadableParameters({ q: text }, null)).toEqual([]);
  });

  it('keeps a parameter named __proto__ one of its own', () => {
    const parameters = JSON.parse('{"__proto__":"x"}');
    expect(Object.keys(queryOf(parameters, null) ?? {})).toEqual(['__proto__']);
  });

  it('becomes a query string again', () => {
    expect(queryStringOf({ a: 'x y', b: ['1', '2'] })).toBe('?a=x+y&b=1&b=2');
    expect(queryStringOf({})).toBe('');
  });
});

test('a cent is ten thousand units, a network has a name in each version', () => {
  expect([unitsOf(0), unitsOf(1), unitsOf(1_000_000_000)]).toEqual([0n, 10_000n, 10_000_000_000_000n]);
  expect([networkName(8453, 1), networkName(84532, 1), networkName(8453, 2)]).toEqual([
    'base',
    'base-sepolia',
    'eip155:8453',
  ]);
  expect(networkName(31337, 1)).toBe('eip155:31337');
});

test('valid strictly after the one time and before the other, with room', () => {
  const now = 1_000_000;
  const at = (validAfter: bigint, validBefore: bigint) => timeFault({ validAfter, validBefore }, now, 6000);
  expect(at(999n, 1006n)).toBeNull();
  expect(at(1000n, 1006n)).toBe('valid_after');
  expect(at(999n, 1005n)).toBe('valid_before');
  expect(at(0n, (1n << 256n) - 1n)).toBeNull();
});

describe('the extension bazaar', () => {
  const declared = {
    inputSchema: { $schema: 'x', type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
    outputSchema: { type: 'object' },
    exampleQuery: { n: 1 },
    preview: {},
  };
  it('has info that its schema validates', () => {
    const { info, schema } = bazaar(declared) as { info: JsonObject; schema: JsonObject };
    expect(schemaFaults(schema, info)).toEqual([]);
    expect(schemaFaults(schema, { input: { type: 'http', method: 'POST' } })).not.toEqual([]);
    expect(JSON.stringify(schema).match(/\$schema/g)).toHaveLength(1);
  });
});

describe('a payment header', () => {
  const encode = (value: object) => btoa(JSON.stringify(value));
  const payload = {
    signature: `0x${'AB'.repeat(65)}`,
    authorization: {
      from: `0x${'A'.repeat(40)}`,
      to: `0x${'b'.repeat(40)}`,
      value: '1',
      validAfter: '0',
      validBefore: '2',
      nonce: `0x${'C'.repeat(64)}`,
    },
  };
  const sent = { x402Version: 1, scheme: 'exact', network: 'base', payload };

  it('in hexadecimal of either case, padded or not, is one payment', () => {
    const read = readPayment({ payment: encode(sent) });
    expect(read).toMatchObject({
      kind: 'read',
      payment: { expected: 1, transfer: { authorization: { nonce: `0x${'c'.repeat(64)}`, units: 1n } } },
    });
    expect(readPayment({ payment: encode(sent).replace(/=+$/, '') })).toEqual(read);
  });

  it.each([
    ['more digits than 256 bits have', { value: '9'.repeat(79) }],
    ['a leading zero', { value: '01' }],
    ['a sign', { validBefore: '-1' }],
    ['a short nonce', { nonce: '0x12' }],
    ['no address', { from: '0x12' }],
  ])('with %s is malformed', (_, wrong) => {
    const authorization = { ...payload.authorization, ...wrong };
    const read = readPayment({ payment: encode({ ...sent, payload: { ...payload, authorization } }) });
    expect(read.kind).toBe('malformed');
  });

  it('that is absent is none, twice is two', () => {
    expect(readPayment({}).kind).toBe('none');
    expect(readPayment({ payment: 'a', paymentSignature: 'b' }).kind).toBe('two');
  });
});
