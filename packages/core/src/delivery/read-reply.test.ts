import { sha256Digest } from '@agent-marketplace/protocol/crypto/digest.ts';
import { utf8 } from '@agent-marketplace/protocol/crypto/encoding.ts';
import { canonicalJson } from '@agent-marketplace/protocol/json/canonical-json.ts';
import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { hashInPieces } from '../adapters/system/hash-in-pieces.ts';
import { createArrivingDigests } from './arriving-digests.rules.ts';
import { readBody } from './read-reply.ts';

const READING = { envelope: { kind: 'none' }, data: { outputSchema: null } } as const;
const CANONICAL = '{"a":"é\\n","b":[1,{"c":null}]}';
const claimOver = async (text: string) => `"__sha256":"${await sha256Digest(text)}"`;

async function read(body: Uint8Array) {
  const reply = await readBody(READING, body);
  if (reply.kind !== 'delivered') throw new Error(reply.kind);
  return {
    reply,
    text: new TextDecoder().decode(reply.content),
    isCopy: reply.content.buffer !== body.buffer,
  };
}

it('hands on data in canonical form as they came, with and without a claim', async () => {
  const claim = await claimOver(CANONICAL);
  for (const data of [CANONICAL, `{${claim},${CANONICAL.slice(1)}`]) {
    const { reply, text, isCopy } = await read(utf8(`{"data":${data}}`));
    expect([text, isCopy, reply.digest]).toEqual([data, false, await sha256Digest(data)]);
  }
  const wrong = utf8(`{"data":{${await claimOver('{}')},${CANONICAL.slice(1)}}`);
  expect(await readBody(READING, wrong)).toEqual({ kind: 'integrity_mismatch' });
  for (const [before, after] of [
    ['{"A":1', ''],
    ['{"A":1', ',"a":2'],
    ['{', ',"a":2'],
    ['{', ''],
  ] as const) {
    const unclaimed = `${before}${before === '{' ? after.slice(1) : after}}`;
    const data = `${before}${before === '{' ? '' : ','}${await claimOver(unclaimed)}${after}}`;
    expect([data, (await read(utf8(`{"data":${data}}`))).isCopy]).toEqual([data, false]);
  }
});

it('writes anew what is in any other form, or comes with more than the data', async () => {
  for (const body of [
    `{"data": ${CANONICAL}}`,
    `{"data":${CANONICAL},"note":1}`,
    `{"data":{"b":[1,{"c":null}],"a":"é\\n"}}`,
    `{"data":{"a":"\\u00e9\\n","b":[1.0,{"c":null}]}}`,
    `\ufeff{"data":${CANONICAL}}`,
  ]) {
    expect(await read(utf8(body)), body).toMatchObject({ text: CANONICAL, isCopy: true });
  }
});

it('takes no more memory along than the data', async () => {
  const sent = utf8(`{"data":${CANONICAL}}`);
  const buffer = new Uint8Array(200_000);
  buffer.set(sent);
  const { text, isCopy, reply } = await read(buffer.subarray(0, sent.length));
  expect([text, isCopy, reply.content.buffer.byteLength]).toEqual([CANONICAL, true, utf8(CANONICAL).length]);
});

it('hashes data while they arrive, in whatever pieces, to the digests of the whole', async () => {
  const member = fc.tuple(fc.constantFrom('A', 'Z', 'a', 'é', '__sha25', 'z'), fc.jsonValue());
  const claims = fc.constantFrom('right', 'wrong', 'upper', 'short', 'none');
  await fc.assert(
    fc.asyncProperty(fc.array(member), claims, fc.array(fc.nat(300)), async (members, kind, cuts) => {
      const data = { filler: 'a'.repeat(150), ...Object.fromEntries(members) };
      const right = await sha256Digest(canonicalJson(data));
      const claim = {
        right,
        wrong: `sha256:${'0'.repeat(64)}`,
        upper: right.toUpperCase().replace('SHA', 'sha'),
        short: 'sha256:0',
        none: undefined,
      }[kind];
      const body = utf8(canonicalJson({ data: claim === undefined ? data : { ...data, __sha256: claim } }));
      const digests = createArrivingDigests(hashInPieces);
      for (const cut of [...cuts.sort((a, b) => a - b), body.length]) digests.take(body.subarray(0, cut));
      const read = await readBody(READING, body, { digests, limits: {} });
      expect(read).toEqual(await readBody(READING, body, { limits: {} }));
      expect(read.kind).toBe(kind === 'wrong' || kind === 'short' ? 'integrity_mismatch' : 'delivered');
      const schema = { type: 'object', required: ['none'] };
      const misfit = await readBody({ ...READING, data: { outputSchema: schema } }, body, { limits: {} });
      expect(misfit).toMatchObject({ kind: 'failed', reason: 'schema_mismatch' });
    }),
    { numRuns: 200 },
  );
});

/** What is made of a size that counts while the callback runs: each buffer and each text, in bytes. */
async function countedBytes(run: () => Promise<unknown>): Promise<number> {
  let counted = 0;
  const count = <T>(made: T, bytes: number): T => {
    if (bytes > 100_000) counted += bytes;
    return made;
  };
  const { decode } = TextDecoder.prototype;
  const { encode } = TextEncoder.prototype;
  const { slice } = Uint8Array.prototype;
  const spies = [
    vi.spyOn(TextDecoder.prototype, 'decode').mockImplementation(function (this: TextDecoder, ...args) {
      const text = decode.apply(this, args);
      return count(text, text.length * (/[^\0-\xff]/.test(text) ? 2 : 1));
    }),
    vi.spyOn(TextEncoder.prototype, 'encode').mockImplementation(function (this: TextEncoder, text) {
      const bytes = encode.call(this, text);
      return count(bytes, bytes.length) as never;
    }),
    vi.spyOn(Uint8Array.prototype, 'slice').mockImplementation(function (this: Uint8Array, ...args) {
      const bytes = slice.apply(this, args);
      return count(bytes, bytes.length) as never;
    }),
  ];
  vi.stubGlobal(
    'ArrayBuffer',
    class extends ArrayBuffer {
      constructor(bytes: number) {
        super(bytes);
        count(this, bytes);
      }
    },
  );
  try {
    await run();
  } finally {
    for (const spy of spies) spy.mockRestore();
    vi.unstubAllGlobals();
  }
  return counted;
}

it('makes no more of data in canonical form than their text, and leaves others a turn', async () => {
  const recordsOf = (character: string) =>
    Array.from({ length: 12_000 }, (_, n) => ({ id: n, text: character.repeat(80) }));
  const claimed = async (data: object) => ({ ...data, __sha256: await sha256Digest(canonicalJson(data)) });
  for (const data of [
    { records: recordsOf('a') },
    await claimed({ records: recordsOf('é') }),
    await claimed({ Records: recordsOf('€') }),
  ]) {
    const text = canonicalJson({ data });
    const body = utf8(text);
    const digests = createArrivingDigests(hashInPieces);
    digests.take(body);
    const pause = vi.fn(async () => {});
    const parse = vi.spyOn(JSON, 'parse');
    const counted = await countedBytes(() => readBody(READING, body, { digests, pause }));
    const parsed = Math.max(0, ...parse.mock.calls.map(([part]) => part.length));
    parse.mockRestore();
    // Beside the body as it arrived and as it is handed on: the text, of two bytes a character at most.
    expect(counted).toBeLessThanOrEqual(2 * body.length);
    expect(parsed).toBeLessThan(100);
    expect(pause).toHaveBeenCalledTimes(Math.floor(text.length / (1024 * 1024)));
  }
});

it.each([
  ['objects', `{"data":{"a":[${'{},'.repeat(3_400_000)}{}]}}`, 'too_large'],
  ['keys', `{"data":{${Array.from({ length: 700_000 }, (_, n) => `"k${n}":0`).join()}}}`, 'too_large'],
  ['arrays', `{"data":{"a":${'['.repeat(5_000_000)}${']'.repeat(5_000_000)}}}`, 'failed'],
  ['quotes in a text without an end', `{"data":{"a":"${'\\"'.repeat(5_000_000)}}}`, 'failed'],
])('refuses 10 MB of %s before anything is made of them', async (_, text, kind) => {
  const parse = vi.spyOn(JSON, 'parse');
  const body = utf8(text);
  const pause = vi.fn(async () => {});
  expect(await readBody(READING, body, { pause })).toMatchObject({ kind });
  expect(parse.mock.results.filter(({ type }) => type === 'return')).toEqual([]);
  expect(pause.mock.calls.length).toBeLessThanOrEqual(10);
  parse.mockRestore();
});
