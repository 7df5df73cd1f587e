import { createPublicKey, verify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { clause } from './clause.ts';
import { createService, DATE_TIME } from './service.ts';

const service = createService();

describe('GET /signing-key', () => {
  clause('provenance.signing-key');
  it('response 200: algorithm, keyId, publicKeyRaw, publicKeyPem, howToVerify[]', async () => {
    const { status, body, provenance } = await service.get('/signing-key');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      algorithm: 'Ed25519',
      keyId: expect.any(String),
      publicKeyRaw: expect.stringMatching(/^[\w-]{43}$/),
      publicKeyPem: expect.stringMatching(
        /^-----BEGIN PUBLIC KEY-----\n[\w+/=]{60}\n-----END PUBLIC KEY-----\n$/,
      ),
    });
    // Both forms are the key that signed this very answer.
    const { receipt } = provenance as { receipt: Record<string, string> };
    const message = `${receipt.keyId}.${receipt.signedAt}.${receipt.digest}`;
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: String(body.publicKeyRaw) };
    for (const key of [
      createPublicKey(String(body.publicKeyPem)),
      createPublicKey({ key: jwk, format: 'jwk' }),
    ]) {
      const signature = Buffer.from(String(receipt.signature), 'base64url');
      expect(verify(null, Buffer.from(message), key, signature)).toBe(true);
    }
    expect(receipt.keyId).toBe(body.keyId);
    const steps = body.howToVerify as string[];
    expect(steps.length).toBeGreaterThan(0);
    for (const step of steps) expect(step).toEqual(expect.any(String));
  });
});

describe('POST /verify-receipt', () => {
  const signed = () => service.get('/agents');

  clause('provenance.verify');
  it('the receipt alone checks the signature', async () => {
    const { receipt } = (await signed()).provenance;
    const { status, body } = await service.post('/verify-receipt', { receipt });
    expect(status).toBe(200);
    expect(body).toMatchObject({ valid: true, signatureValid: true, digestValid: null, keyStatus: 'active' });
    expect(body.signedAt).toMatch(DATE_TIME);
    const { receipt: other } = (await service.get('/signing-key')).provenance as {
      receipt: Record<'signature' | 'digest' | 'signedAt', string>;
    };
    for (const name of ['signature', 'digest', 'signedAt'] as const) {
      const changed = { ...(receipt as typeof other), [name]: other[name] };
      if (name === 'signedAt') changed.signedAt = '2020-01-01T00:00:00.000Z';
      const forged = await service.post('/verify-receipt', { receipt: changed });
      expect([name, forged.body.valid, forged.body.signatureValid]).toEqual([name, false, false]);
    }
  });

  clause('provenance.verify-payload');
  it('payload (the response body with the provenance key removed) also confirms the digest', async () => {
    const { provenance, body: payload } = await signed();
    const { receipt } = provenance;
    const good = await service.post('/verify-receipt', { receipt, payload });
    expect(good.body).toMatchObject({ valid: true, digestValid: true });
    const other = await service.post('/verify-receipt', { receipt, payload: { ...payload, total: -1 } });
    expect(other.body).toMatchObject({ valid: false, signatureValid: true, digestValid: false });
  });

  clause('provenance.verify-malformed');
  it('200 whether valid or not, 400 only if malformed', async () => {
    const { receipt } = (await signed()).provenance as { receipt: Record<string, string> };
    const forged = { ...receipt, signature: 'A'.repeat(86) };
    const { status, body } = await service.post('/verify-receipt', { receipt: forged });
    expect([status, body.valid, typeof body.reason]).toEqual([200, false, 'string']);
    for (const wrong of [{}, { receipt: {} }, { receipt: [] }, { receipt: { ...receipt, keyId: 1 } }]) {
      expect((await service.post('/verify-receipt', wrong)).status).toBe(400);
    }
  });
});
