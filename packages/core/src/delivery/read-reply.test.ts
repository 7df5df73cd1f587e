import { sha256Digest } from '@agent-marketplace/protocol/crypto/digest.ts';
import { utf8 } from '@agent-marketplace/protocol/crypto/encoding.ts';
import { expect, it } from 'vitest';
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
