import { canonicalDigest } from '@agent-marketplace/protocol/crypto/digest.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { clause } from '../../../../test/conformance/clause.ts';
import { createSigner } from '../adapters/keys/keyring.ts';
import { isoTime } from '../kernel/time.ts';
import { readSigned, type SignedBody } from '../testing/marketplace/read-signed.ts';
import { TEST_OTHER_SIGNING_KEY } from '../testing/marketplace/test-bindings.ts';
import { createTestMarketplace } from '../testing/marketplace/workers-harness.ts';
import { publishActiveKey } from './index.ts';

const market = createTestMarketplace();
/** The same marketplace as it was before the key was rotated. */
const earlier = createTestMarketplace({ overrides: { signer: createSigner(TEST_OTHER_SIGNING_KEY) } });

async function verify(body: unknown) {
  const response = await market.request('POST', '/verify-receipt', { body });
  return { status: response.status, ...(await readSigned(response)) };
}

async function agents(at = market, key?: string): Promise<SignedBody> {
  return readSigned(await at.request('GET', '/agents'), key);
}

const fourOf = ({ digest, keyId, signature, signedAt }: SignedBody['receipt']) => ({
  digest,
  keyId,
  signature,
  signedAt,
});

let good: SignedBody;
beforeAll(async () => {
  for (const name of ['Ada', 'Bea']) await market.request('POST', '/agents/register', { body: { name } });
  good = await agents();
});

describe('a good receipt', () => {
  it('alone: the signature is checked, the digest is not', async () => {
    const { status, body } = await verify({ receipt: good.receipt });
    expect(status).toBe(200);
    expect(body).toEqual({
      digestValid: null,
      followedBy: null,
      keyId: good.receipt.keyId,
      keyStatus: 'active',
      notCovered: [],
      rating: null,
      reason: null,
      receiptDigest: await canonicalDigest(fourOf(good.receipt)),
      signatureValid: true,
      signedAt: good.receipt.signedAt,
      valid: true,
    });
  });

  it('with its payload, in any order of members', async () => {
    const reversed = Object.fromEntries(Object.entries(good.body).reverse());
    for (const payload of [good.body, reversed]) {
      expect((await verify({ receipt: good.receipt, payload })).body).toMatchObject({
        digestValid: true,
        valid: true,
      });
    }
  });

  it('of an error answer verifies like any other', async () => {
    const refused = await readSigned(await market.request('GET', '/nothing'));
    const { body } = await verify({ receipt: refused.receipt, payload: refused.body });
    expect(body.valid).toBe(true);
  });

  it('of the four members that count is enough', async () => {
    const { digest, keyId, signature, signedAt } = good.receipt;
    expect((await verify({ receipt: { digest, keyId, signature, signedAt } })).body.valid).toBe(true);
  });
});

describe('a receipt that was tampered with', () => {
  const flip = (text: string, at: number) =>
    text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1);

  it.each([
    ['signature', (r: SignedBody['receipt']) => ({ ...r, signature: flip(r.signature, 10) })],
    ['signature, empty', (r: SignedBody['receipt']) => ({ ...r, signature: '' })],
    ['signature, padded', (r: SignedBody['receipt']) => ({ ...r, signature: `${r.signature}==` })],
    ['signedAt', (r: SignedBody['receipt']) => ({ ...r, signedAt: '2026-06-01T12:00:00.001Z' })],
    ['digest', (r: SignedBody['receipt']) => ({ ...r, digest: `sha256:${'0'.repeat(64)}` })],
    ['digest, upper case', (r: SignedBody['receipt']) => ({ ...r, digest: r.digest.toUpperCase() })],
  ])('%s: is found out', async (_, tamper) => {
    const { status, body } = await verify({ receipt: tamper(good.receipt) });
    expect(status).toBe(200);
    expect(body).toMatchObject({ valid: false, signatureValid: false });
    expect(body.reason).toMatch(/signature/);
  });

  it('another payload: the signature stays good, the digest is not', async () => {
    const { body } = await verify({ receipt: good.receipt, payload: { ...good.body, total: 3 } });
    expect(body).toMatchObject({ valid: false, signatureValid: true, digestValid: false });
  });

  it('a scalar is a payload, not the lack of one; null is none', async () => {
    expect((await verify({ receipt: good.receipt, payload: null })).body.digestValid).toBeNull();
    for (const payload of [0, '', false, []]) {
      expect((await verify({ receipt: good.receipt, payload })).body.digestValid).toBe(false);
    }
  });

  it('an unknown key is told', async () => {
    const { body } = await verify({ receipt: { ...good.receipt, keyId: 'ed25519-0000000000000000' } });
    expect(body).toMatchObject({ valid: false, signatureValid: false, keyStatus: 'unknown' });
  });
});

describe('a malformed receipt is 400', () => {
  it.each([
    ['no receipt', {}, 'receipt'],
    ['a receipt that is text', { receipt: 'x' }, 'receipt'],
    ['null', { receipt: null }, 'receipt'],
    ['no keyId', { receipt: { digest: 'd', signature: 's', signedAt: 't' } }, 'receipt.keyId'],
    ['a number', { receipt: { digest: 1, keyId: 'k', signature: 's', signedAt: 't' } }, 'receipt.digest'],
    [
      'a signature without end',
      { receipt: { digest: 'd', keyId: 'k', signature: 's'.repeat(201), signedAt: 't' } },
      'receipt.signature',
    ],
  ])('%s', async (_, given, path) => {
    const { status, body } = await verify(given);
    expect([status, body.code]).toEqual([400, 'validation_failed']);
    expect(body.errors).toEqual(expect.arrayContaining([expect.objectContaining({ path })]));
  });
});

describe('a rotation of keys', () => {
  clause('receipt.key-id');
  it('leaves receipts of the retired key verifiable', async () => {
    const { clock } = market;
    const ports = market.newPorts();
    await publishActiveKey(ports.market, await earlier.newPorts().signer.activeKey(), isoTime(clock.now()));
    const old = await agents(earlier, TEST_OTHER_SIGNING_KEY);
    expect((await verify({ receipt: old.receipt, payload: old.body })).body).toMatchObject({ valid: true });

    clock.advance(1000);
    await publishActiveKey(ports.market, await ports.signer.activeKey(), isoTime(clock.now()));
    const { body } = await verify({ receipt: old.receipt, payload: old.body });
    expect(body).toMatchObject({ valid: true, keyStatus: 'retired' });
  });

  it('shows both keys, the active one first', async () => {
    const { body } = await readSigned(await market.request('GET', '/signing-key'));
    const keys = body.keys as { keyId: string; status: string; retiredAt: string | null }[];
    expect(keys.map(({ status }) => status)).toEqual(['active', 'retired']);
    expect(keys[0]).toMatchObject({ keyId: body.keyId, retiredAt: null });
    expect(keys[1]?.retiredAt).toBe(isoTime(market.clock.now()));
  });
});

describe('the signing key', () => {
  clause('provenance.same-key');
  it('is the same as raw bytes and as PEM', async () => {
    const { body } = await readSigned(await market.request('GET', '/signing-key'));
    const der = atob(String(body.publicKeyPem).replaceAll(/-----[A-Z ]+-----|\n/g, ''));
    const raw = atob(String(body.publicKeyRaw).replaceAll('-', '+').replaceAll('_', '/'));
    expect(der.slice(-32)).toBe(raw);
    expect(body.algorithm).toBe('Ed25519');
    expect(body.publicKeyRaw).toMatch(/^[\w-]{43}$/);
  });
});
