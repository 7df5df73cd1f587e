import { createSigner } from '@agent-marketplace/core/adapters/keys/keyring.ts';
import { isoTime } from '@agent-marketplace/core/kernel/time.ts';
import { publishActiveKey } from '@agent-marketplace/core/provenance/index.ts';
import { readSigned } from '@agent-marketplace/core/testing/marketplace/read-signed.ts';
import { TEST_OTHER_SIGNING_KEY } from '@agent-marketplace/core/testing/marketplace/test-bindings.ts';
import { createTestMarketplace } from '@agent-marketplace/core/testing/marketplace/workers-harness.ts';
import { canonicalDigest } from '@agent-marketplace/protocol/crypto/digest.ts';
import { uncoveredMembers } from '@agent-marketplace/protocol/crypto/uncovered-members.ts';
import { expect, it } from 'vitest';

// What the marketplace signs about a receipt is about that receipt only, whoever's key signed it; and asking costs no
// more for being malicious.

const market = createTestMarketplace();
const door = createSigner(TEST_OTHER_SIGNING_KEY);

async function verify(body: object) {
  const response = await market.request('POST', '/verify-receipt', { body });
  return { status: response.status, ...(await readSigned(response)) };
}

const RECEIPT = { digest: `sha256:${'0'.repeat(64)}`, keyId: 'k', signature: 's', signedAt: 't' };

it('the signed verdict on one receipt cannot be shown as that on another', async () => {
  const good = await readSigned(await market.request('GET', '/agents'));
  const { digest, keyId, signature, signedAt } = good.receipt;
  const fields = { digest, keyId, signature, signedAt };
  const { body } = await verify({ receipt: good.receipt });
  expect(body).toMatchObject({ valid: true, receiptDigest: await canonicalDigest(fields) });
  const forged = { ...fields, digest: RECEIPT.digest };
  const { body: other } = await verify({ receipt: forged });
  expect(other).toMatchObject({ valid: false, receiptDigest: await canonicalDigest(forged) });
  expect(other.receiptDigest).not.toBe(body.receiptDigest);
});

it('a receipt of the ingress door verifies, also after its key was retired; a forged one does not', async () => {
  const { market: db } = market.newPorts();
  const at = isoTime(market.clock.now());
  await publishActiveKey(db, await door.activeKey(), at, 'ingress');
  const payload = { type: 'ADMIT', sessionId: 's', issuedAt: at };
  const { digest, keyId, signature } = await door.signDigest(await canonicalDigest(payload), at);
  const receipt = { digest, keyId, signature, signedAt: at };
  expect((await verify({ receipt, payload })).body).toMatchObject({ valid: true, keyStatus: 'active' });
  const refusal = { ...payload, type: 'REFUSE' };
  expect((await verify({ receipt, payload: refusal })).body).toMatchObject({
    valid: false,
    digestValid: false,
  });
  await publishActiveKey(db, await market.newPorts().signer.activeKey(), at, 'provenance');
  await db.commit([{ sql: 'UPDATE signing_keys SET retired_at = ? WHERE key_id = ?', params: [at, keyId] }]);
  expect((await verify({ receipt, payload })).body).toMatchObject({ valid: true, keyStatus: 'retired' });
});

/** Microseconds of this thread's processor time: what else the machine does is not counted. workerd has a clock only. */
function processorTime(): number {
  if (typeof process.threadCpuUsage !== 'function') return performance.now() * 1000;
  const { user, system } = process.threadCpuUsage();
  return user + system;
}

/** The least of a few, in microseconds. */
async function leastTime(body: object): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < 5; n += 1) {
    const begun = processorTime();
    expect((await verify(body)).status).toBe(200);
    times.push(processorTime() - begun);
  }
  return Math.min(...times);
}

it.each([
  ['many members', (n: number) => Object.fromEntries(Array.from({ length: n }, (_, i) => [`k${n - i}`, i]))],
  ['many short lists', (n: number) => Array.from({ length: n * 2 }, () => [0])],
  ['one long text of escapes', (n: number) => '\u0001'.repeat(n * 2)],
])('a payload of %s, sixteen times as long: not out of proportion', async (_, payloadOf) => {
  const small = await leastTime({ receipt: RECEIPT, payload: payloadOf(4000) });
  const large = await leastTime({ receipt: RECEIPT, payload: payloadOf(64_000) });
  // Quadratic cost would be 256 times.
  expect(large).toBeLessThan(80 * Math.max(small, 1000));
});

it('a number is what was signed, digit for digit', async () => {
  const { body, receipt } = await readSigned(await market.request('GET', '/agents'));
  const sent = (number: string) =>
    `{"receipt":${JSON.stringify(receipt)},"payload":${JSON.stringify(body).replace(/"total":\d+/, `"total":${number}`)}}`;
  const answer = async (number: string) => {
    const headers = { 'content-type': 'application/json' };
    const response = await market.request('POST', '/verify-receipt', { body: sent(number), headers });
    return (await readSigned(response)).body;
  };
  expect(await answer(String(body.total))).toMatchObject({ valid: true });
  // As RFC 8785 writes that double, and another integer that is read as the same double.
  expect(await answer('1152921504606847000')).toMatchObject({ valid: false, digestValid: false });
  expect(await answer('1152921504606847036')).toMatchObject({ status: 400, code: 'number_not_exact' });
});

it('members that nobody signed are looked at once each', () => {
  let looks = 0;
  const names = Array.from({ length: 1000 }, (_, n) => `member${n}`);
  const signed = new Proxy(names, {
    get: (target, name, receiver) => {
      looks += 1;
      return Reflect.get(target, name, receiver);
    },
  });
  const sent = Object.fromEntries([...names, 'another'].map((name) => [name, 0]));
  expect(uncoveredMembers(sent, signed)).toEqual(['another']);
  expect(looks).toBeLessThan(5 * names.length);
});

it('what is wrong with a body of many fields is said in a short answer', async () => {
  const body = Object.fromEntries(
    Array.from({ length: 50_000 }, (_, n) => [`${'x'.repeat(n === 0 ? 100_000 : 8)}${n}`, 0]),
  );
  const response = await market.request('POST', '/agents/register', { body });
  const text = await response.clone().text();
  const { errors } = (await readSigned(response)).body;
  expect([response.status, text.length < 20_000]).toEqual([400, true]);
  expect(errors).toHaveLength(50);
});
