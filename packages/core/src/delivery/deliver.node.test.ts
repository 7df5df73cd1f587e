import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clause } from '../../../../test/conformance/clause.ts';
import { createDeliveryPorts } from '../testing/marketplace/delivery-ports.ts';
import { type LocalSeller, startLocalSeller } from '../testing/marketplace/local-seller.ts';
import { deliver } from './deliver.ts';
import { DELIVERY_FAILURES, DELIVERY_MAX_BYTES, type SellerDelivery } from './delivery.rules.ts';

const REQUEST = {
  listingId: '00000000-0000-4000-8000-000000000001',
  fingerprint: `sha256:${'ab'.repeat(32)}`,
  title: 'Tide tables',
  verticalSlug: 'ocean-data',
  query: { port: 'Brest' },
};

const ports = createDeliveryPorts();
let seller: LocalSeller;
let answer: (response: ServerResponse) => void;
beforeAll(async () => {
  seller = await startLocalSeller((_, response) => answer(response));
});
afterAll(() => seller.close());

function deliverFrom(script: typeof answer, timeoutMs = 5000): Promise<SellerDelivery> {
  answer = script;
  const target = { sellerId: 's', callbackType: 'webhook', callbackUrl: `${seller.origin}/hook` } as const;
  return deliver(ports, REQUEST, target, { timeoutMs, maxBytes: DELIVERY_MAX_BYTES });
}

const sha256 = (text: string | Uint8Array) => `sha256:${createHash('sha256').update(text).digest('hex')}`;
const sends =
  (body: string | Buffer, status = 200) =>
  (r: ServerResponse) =>
    void r.writeHead(status).end(body);

async function contentOf(outcome: Promise<SellerDelivery>): Promise<string> {
  const delivered = await outcome;
  if (delivered.kind !== 'delivered') throw new Error(JSON.stringify(delivered));
  expect(delivered.digest).toBe(sha256(delivered.content));
  return new TextDecoder().decode(delivered.content);
}

test('the seller gets the delivery_request and nothing else', async () => {
  const before = Date.now();
  await deliverFrom(sends('{"data":{}}'));
  const { issuedAt, ...rest } = JSON.parse(seller.received.at(-1)?.body ?? '');
  expect(rest).toEqual({ type: 'delivery_request', ...REQUEST });
  expect(Object.keys(rest)).toEqual(['type', 'listingId', 'fingerprint', 'title', 'verticalSlug', 'query']);
  expect(Date.parse(issuedAt)).toBeGreaterThanOrEqual(before);
});

test('a request without a query carries an empty one', async () => {
  answer = sends('{"data":{}}');
  const target = { sellerId: 's', callbackType: 'webhook', callbackUrl: seller.origin } as const;
  await deliver(ports, { ...REQUEST, query: null }, target);
  expect(JSON.parse(seller.received.at(-1)?.body ?? '').query).toEqual({});
});

describe('delivered: the RFC 8785 form of data', () => {
  test.each([
    ['{"data":{}}', '{}'],
    ['\ufeff{"data":{"b":1.0,"a":[2,{"d":1e2,"c":"é"}]},"more":1}', '{"a":[2,{"c":"é","d":100}],"b":1}'],
    ['{"available":true,"data":{"10":1,"9":2}}', '{"10":1,"9":2}'],
    ['{"data":{"__proto__":{"x":1}}}', '{"__proto__":{"x":1}}'],
    [`{"data":{"a":${'['.repeat(62)}${']'.repeat(62)}}}`, `{"a":${'['.repeat(62)}${']'.repeat(62)}}`],
  ])('%s', async (reply, content) => {
    expect(await contentOf(deliverFrom(sends(reply)))).toBe(content);
  });

  clause('limits.delivery');
  test('10 MB', async () => {
    const filler = 'x'.repeat(DELIVERY_MAX_BYTES - '{"data":{"a":""}}'.length);
    expect(await contentOf(deliverFrom(sends(`{"data":{"a":"${filler}"}}`)))).toBe(`{"a":"${filler}"}`);
    expect(await deliverFrom(sends(`{"data":{"a":"${filler}x"}}`))).toEqual({ kind: 'too_large' });
  });
});

describe('__sha256', () => {
  const honest = sha256('{"a":1,"b":[{"c":"ü"}]}');
  const data = (claim: unknown) => `{"data":{"b":[{"c":"ü"}],"__sha256":${JSON.stringify(claim)},"a":1.0}}`;

  test('right: delivered, and the claim stays in the content', async () => {
    expect(await contentOf(deliverFrom(sends(data(honest))))).toBe(
      `{"__sha256":"${honest}","a":1,"b":[{"c":"ü"}]}`,
    );
  });

  test.each([sha256('{}'), honest.slice(7), honest.replace('sha256', 'sha512'), '', null, 0, {}, [honest]])(
    'wrong or malformed: %j',
    async (claim) => {
      expect(await deliverFrom(sends(data(claim)))).toEqual({ kind: 'integrity_mismatch' });
    },
  );
});

describe('every lie has its outcome', () => {
  const failed = (reason: keyof typeof DELIVERY_FAILURES, retryable = DELIVERY_FAILURES[reason].retryable) =>
    ({ kind: 'failed', reason, retryable }) as const;
  const nested = (depth: number) => `{"data":{"a":${'['.repeat(depth)}${']'.repeat(depth)}}}`;

  clause('events.delivery-reply');
  test.each<[string, typeof answer, SellerDelivery]>([
    ['404', sends('{"data":{}}', 404), { kind: 'unavailable' }],
    ['available: false', sends('{"available":false}'), { kind: 'unavailable' }],
    ['available: false with data', sends('{"available":false,"data":{}}'), { kind: 'unavailable' }],
    ['available: "false"', sends('{"available":"false"}'), failed('no_data')],
    ['201', sends('{"data":{}}', 201), failed('bad_status', false)],
    ['204', (r) => void r.writeHead(204).end(), failed('bad_status', false)],
    ['302', (r) => void r.writeHead(302, { location: '/hook' }).end(), failed('redirected')],
    ['401', sends('{"data":{}}', 401), failed('call_refused', false)],
    ['429', sends('', 429), failed('call_refused', true)],
    ['500', sends('{"data":{}}', 500), failed('bad_status', true)],
    ['503', sends('', 503), failed('bad_status', true)],
    ['empty', sends(''), failed('not_json')],
    ['text', sends('<html>'), failed('not_json')],
    ['cut off', sends('{"data":{'), failed('not_json')],
    ['not UTF-8', sends(Buffer.from('{"data":{"a":"\xff"}}', 'latin1')), failed('not_json')],
    ['duplicate keys', sends('{"data":{"a":1,"a":2}}'), failed('not_json')],
    ['duplicate data', sends('{"data":{},"data":{"a":1}}'), failed('not_json')],
    ['duplicate keys by escape', sends('{"data":{"a":1,"\\u0061":2}}'), failed('not_json')],
    ['infinite number', sends('{"data":{"a":1e400}}'), failed('number_not_exact')],
    ['lone surrogate', sends('{"data":{"a":"\\ud800"}}'), failed('not_json')],
    ['65 deep', sends(nested(63)), failed('not_json')],
    ['a million deep', sends(nested(1_000_000)), failed('not_json')],
    ['an array', sends('[]'), failed('not_an_object')],
    ['null', sends('null'), failed('not_an_object')],
    ['array data', sends('{"data":[]}'), failed('not_an_object')],
    ['null data', sends('{"data":null}'), failed('not_an_object')],
    ['string data', sends('{"data":"{}"}'), failed('not_an_object')],
    ['no data', sends('{}'), failed('no_data')],
    ['data by prototype', sends('{"__proto__":{"data":{}}}'), failed('no_data')],
    ['too large', sends(Buffer.alloc(DELIVERY_MAX_BYTES + 1, ' ')), { kind: 'too_large' }],
    [
      'gzip bomb',
      (r) =>
        void r
          .writeHead(200, { 'content-encoding': 'gzip' })
          .end(gzipSync(Buffer.alloc(DELIVERY_MAX_BYTES + 1, ' '))),
      { kind: 'too_large' },
    ],
    ['reset', (r) => void r.destroy(), failed('unreachable')],
  ])('%s', async (_, script, outcome) => {
    expect(await deliverFrom(script)).toEqual(outcome);
  });

  test.each<[string, typeof answer]>([
    ['silent', () => {}],
    ['stalled', (r) => void r.writeHead(200).write('{"data":')],
    [
      'dripping',
      (r) => {
        r.writeHead(200).write('{"data":{"a":"');
        const timer = setInterval(() => r.write('x'), 10);
        r.once('close', () => clearInterval(timer));
      },
    ],
  ])('%s: timed out', async (_, script) => {
    expect(await deliverFrom(script, 120)).toEqual({ kind: 'timed_out' });
  });

  test('no endpoint, or one that must not be called', async () => {
    const target = { sellerId: 's', callbackType: 'webhook' } as const;
    expect(await deliver(ports, REQUEST, { ...target, callbackUrl: null })).toEqual(failed('no_endpoint'));
    expect(await deliver(ports, REQUEST, { ...target, callbackUrl: 'https://10.0.0.1/' })).toEqual(
      failed('url_refused'),
    );
  });
});

describe('polling', () => {
  const target = { sellerId: 'poller', callbackType: 'polling', callbackUrl: null } as const;
  const utf8 = (text: string) => new TextEncoder().encode(text);

  async function ask(reply: (id: string) => Promise<unknown>, limits = { timeoutMs: 1000, maxBytes: 1000 }) {
    const outcome = deliver(ports, REQUEST, target, limits);
    const [message] = (await ports.pollingMailbox.pending('poller', 10)) ?? [];
    expect(message?.kind).toBe('delivery_request');
    expect(JSON.parse(message?.body ?? '')).toMatchObject({ type: 'delivery_request', ...REQUEST });
    await reply(message?.id ?? '');
    return outcome;
  }
  const answering = (text: string) => (id: string) => ports.pollingMailbox.answer('poller', id, utf8(text));

  test('the answer is read like that of a webhook', async () => {
    expect(await contentOf(ask(answering('{"data":{"a":1}}')))).toBe('{"a":1}');
    expect(await ask(answering('{"available":false}'))).toEqual({ kind: 'unavailable' });
    expect(await ask(answering('nope'))).toMatchObject({ kind: 'failed', reason: 'not_json' });
    expect(await ask(answering(' '.repeat(1001)))).toEqual({ kind: 'too_large' });
  });

  test('nobody answers in time', async () => {
    expect(await ask(async () => {}, { timeoutMs: 30, maxBytes: 1000 })).toEqual({ kind: 'timed_out' });
    expect(await ports.pollingMailbox.pending('poller', 10)).toEqual([]);
  });

  test.each(['busy', 'unavailable'] as const)('the mailbox is %s', async (kind) => {
    const pollingMailbox = { ...ports.pollingMailbox, ask: async () => ({ kind }) };
    const outcome = await deliver({ ...ports, pollingMailbox }, REQUEST, target);
    expect(outcome).toEqual({ kind: 'failed', reason: `mailbox_${kind}`, retryable: true });
  });
});
