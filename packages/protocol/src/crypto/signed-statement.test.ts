import * as noble from '@noble/ed25519';
import { beforeAll, describe, expect, it } from 'vitest';
import { sha256Digest } from './digest.ts';
import { toBase64Url, utf8 } from './encoding.ts';
import { checkSignatureFields, type SignatureFields, signatureMessage } from './signed-statement.ts';

const base = {
  keyId: 'k1',
  signedAt: '2026-01-31T12:00:00.000Z',
  digest: `sha256:${'ab'.repeat(32)}`,
} as const;
let publicKey: Uint8Array;
let sign: (fields: Omit<SignatureFields, 'signature'>) => Promise<SignatureFields>;

beforeAll(async () => {
  const pair = await noble.keygenAsync();
  publicKey = pair.publicKey;
  sign = async (fields) => ({
    ...fields,
    signature: toBase64Url(await noble.signAsync(signatureMessage(fields), pair.secretKey)),
  });
});

it('signs <keyId>.<signedAt>.<digest>', () => {
  expect(signatureMessage(base)).toEqual(utf8(`k1.2026-01-31T12:00:00.000Z.sha256:${'ab'.repeat(32)}`));
});

describe('checkSignatureFields', () => {
  it('accepts what the key signed, and only with that key', async () => {
    const fields = await sign(base);
    expect(await checkSignatureFields(fields, publicKey)).toBe(true);
    expect(await checkSignatureFields(fields, (await noble.keygenAsync()).publicKey)).toBe(false);
  });

  it('refuses every changed field', async () => {
    const fields = await sign(base);
    const changes: Partial<SignatureFields>[] = [
      { keyId: 'k2' },
      { signedAt: '2026-01-31T12:00:00.001Z' },
      { digest: await sha256Digest('other') },
      { signature: `${fields.signature}==` },
      { signature: fields.signature.slice(0, -1) },
      { signature: '' },
    ];
    for (const change of changes) {
      expect(await checkSignatureFields({ ...fields, ...change }, publicKey)).toBe(false);
    }
  });

  it('refuses well-signed fields of another form', async () => {
    const oddities: Partial<SignatureFields>[] = [
      { keyId: '' },
      { keyId: 'k 1' },
      { signedAt: '2026-01-31' },
      { signedAt: '2026-01-31T12:00:00.000+00:00' },
      { digest: `sha256:${'AB'.repeat(32)}` },
      { digest: 'sha256:ab' },
    ];
    for (const oddity of oddities) {
      expect(await checkSignatureFields(await sign({ ...base, ...oddity }), publicKey)).toBe(false);
    }
  });

  it('gives one message one reading, so parts cannot move across the dots', async () => {
    const fields = await sign({ ...base, keyId: 'k1.2026-01-31T12:00:00' });
    expect(await checkSignatureFields(fields, publicKey)).toBe(true);
    const moved = { ...fields, keyId: 'k1', signedAt: `2026-01-31T12:00:00.${fields.signedAt}` };
    expect(signatureMessage(moved)).toEqual(signatureMessage(fields));
    expect(await checkSignatureFields(moved, publicKey)).toBe(false);
  });
});
