import { expect, it } from 'vitest';
import type { DeliveryOutcome } from './upstream-answer.rules.ts';
import { judgeData, judgeReply, judgeToolResult } from './upstream-answer.rules.ts';
import type { UpstreamReply } from './upstream-reply.ts';

const reply = (status: number, text: string, more: object = {}): UpstreamReply => ({
  kind: 'replied',
  status,
  contentType: 'application/json; charset=utf-8',
  retryAfter: null,
  body: new TextEncoder().encode(text),
  ...more,
});
const none = () => false;
const statusOf = (outcome: DeliveryOutcome) => (outcome.kind === 'refusal' ? outcome.status : outcome.kind);

it.each<[string, UpstreamReply, string | number]>([
  ['data', reply(200, '{"a":1}'), 'data'],
  ['data that was created', reply(201, '{"a":1}'), 'data'],
  ['no content', reply(204, ''), 'unavailable'],
  ['an empty answer', reply(200, ''), 'unavailable'],
  ['404', reply(404, 'no'), 'unavailable'],
  ['410, which would end the checks of the endpoint', reply(410, ''), 'unavailable'],
  ['400', reply(400, '{}'), 422],
  ['422', reply(422, '{}'), 422],
  ['401', reply(401, '{}'), 403],
  ['403', reply(403, '{}'), 403],
  ['a payment that is asked for', reply(402, '{}'), 501],
  ['a method that is not allowed', reply(405, '{}'), 501],
  ['429', reply(429, ''), 429],
  ['500', reply(500, '{"a":1}'), 502],
  ['501', reply(501, ''), 501],
  ['503', reply(503, ''), 503],
  ['504', reply(504, ''), 504],
  ['a redirect without a place', reply(302, ''), 501],
  ['HTML that says so', reply(200, '<p>', { contentType: 'text/html' }), 501],
  ['HTML that says it is JSON', reply(200, ' <!DOCTYPE html><p>'), 501],
  ['broken JSON', reply(200, '{"a":'), 501],
  ['a key twice', reply(200, '{"a":1,"a":2}'), 501],
  ['a number that no double holds', reply(200, '{"id":12345678901234567891}'), 501],
  ['a list where an object is expected', reply(200, '[1]'), 501],
  ['bytes that are no text', reply(200, '', { body: new Uint8Array([0xff, 0xfe]) }), 501],
  ['a redirect elsewhere', { kind: 'redirected_elsewhere' }, 501],
  ['too much', { kind: 'too_large' }, 501],
  ['silence', { kind: 'timed_out' }, 504],
  ['nobody', { kind: 'unreachable', reason: 'ECONNREFUSED' }, 502],
])('%s', (_, given, expected) => {
  expect(statusOf(judgeReply(given, 'object'))).toBe(expected);
});

it('passes on when to come again, if it is a line', () => {
  expect(judgeReply(reply(429, '', { retryAfter: '17' }), 'object')).toMatchObject({ retryAfter: '17' });
  expect(judgeReply(reply(503, '', { retryAfter: 'Wed, 21 Oct 2026 07:28:00 GMT' }), 'object')).toMatchObject(
    {
      retryAfter: 'Wed, 21 Oct 2026 07:28:00 GMT',
    },
  );
  expect(judgeReply(reply(429, '', { retryAfter: 'ü'.repeat(9) }), 'object')).toMatchObject({
    retryAfter: null,
  });
});

it('wraps lists and texts', () => {
  expect(judgeReply(reply(200, '[1,2]'), 'items')).toEqual({ kind: 'data', data: { items: [1, 2] } });
  expect(statusOf(judgeReply(reply(200, '{}'), 'items'))).toBe(501);
  expect(judgeReply(reply(200, 'a,b\n1,2', { contentType: 'text/csv' }), 'text')).toEqual({
    kind: 'data',
    data: { text: 'a,b\n1,2' },
  });
  expect(statusOf(judgeReply(reply(200, '<html>', { contentType: null }), 'text'))).toBe(501);
});

it('reads what a tool answers', () => {
  const content = [{ type: 'text', text: '{"a":1}' }];
  expect(judgeToolResult({ structuredContent: { a: 1 } }, 'structured')).toEqual({
    kind: 'data',
    data: { a: 1 },
  });
  expect(statusOf(judgeToolResult({ content }, 'structured'))).toBe(501);
  expect(judgeToolResult({ content }, 'json')).toEqual({ kind: 'data', data: { a: 1 } });
  expect(judgeToolResult({ content }, 'text')).toEqual({ kind: 'data', data: { text: '{"a":1}' } });
  expect(statusOf(judgeToolResult({ content, isError: true }, 'text'))).toBe(422);
  expect(statusOf(judgeToolResult({ content: [{ type: 'image' }] }, 'text'))).toBe(501);
});

it('holds data against the schema, and names the place without the value', () => {
  const schema = { type: 'object', properties: { rows: { type: 'array', items: { required: ['t'] } } } };
  const data = { kind: 'data' as const, data: { rows: [{ t: 1 }, { secretish: 1 }] } };
  expect(judgeData({ ...data, data: { rows: [] } }, schema, none)).toMatchObject({ kind: 'data' });
  const outcome = judgeData(data, schema, none);
  expect(outcome).toMatchObject({ kind: 'refusal', status: 501 });
  expect(outcome.kind === 'refusal' && outcome.note).toContain('rows.1');
  expect(JSON.stringify(outcome)).not.toContain('secretish');
  expect(judgeData({ kind: 'unavailable', note: '' }, schema, none)).toMatchObject({ kind: 'unavailable' });
});

it('never sells an answer with the credentials in it', () => {
  const echoed = { kind: 'data' as const, data: { headers: { auth: 'Bearer s3cr3t-key' } } };
  expect(statusOf(judgeData(echoed, null, () => true))).toBe(501);
});
