import { verifyEd25519 } from '@agent-marketplace/protocol/crypto/ed25519.ts';
import { fromHex, toHex, utf8 } from '@agent-marketplace/protocol/crypto/encoding.ts';
import { createSigningParty } from '@agent-marketplace/protocol/testing/signing-party.ts';
import * as noble from '@noble/ed25519';
import { afterEach, expect, test, vi } from 'vitest';
import { sha256Hex, verifyBytes, verifyFields } from './crypto.ts';
import { verifyPortable } from './portable-crypto.ts';

afterEach(() => vi.unstubAllGlobals());

async function signed(message: Uint8Array) {
  const secret = noble.utils.randomSecretKey();
  return {
    publicKey: await noble.getPublicKeyAsync(secret),
    signature: await noble.signAsync(message, secret),
  };
}

function bytes(hex: string): Uint8Array {
  return fromHex(hex) ?? new Uint8Array();
}

function flipped(original: Uint8Array, at: number): Uint8Array {
  const copy = original.slice();
  copy[at] = (copy[at] ?? 0) ^ 1;
  return copy;
}

test('both verifiers give the same verdict on good and damaged signatures', async () => {
  const message = utf8('a message');
  const { publicKey, signature } = await signed(message);
  const cases: [Uint8Array, Uint8Array, Uint8Array, boolean][] = [
    [publicKey, message, signature, true],
    [publicKey, utf8('another message'), signature, false],
    [flipped(publicKey, 3), message, signature, false],
    [publicKey, message, signature.subarray(1), false],
    ...[0, 31, 32, 63].map((at): [Uint8Array, Uint8Array, Uint8Array, boolean] => [
      publicKey,
      message,
      flipped(signature, at),
      false,
    ]),
  ];
  for (const [key, text, sig, expected] of cases) {
    expect(verifyPortable(key, text, sig)).toBe(expected);
    expect(await verifyEd25519(key, text, sig)).toBe(expected);
  }
});

// Cases of the ed25519-speccheck suite ("Taming the many EdDSAs"): message, key, signature.
test.each([
  [
    'mixed orders that pass without the cofactor',
    '9bd9f44f4dcc75bd531b56b2cd280b0bb38fc1cd6d1230e14861d861de092e79',
    'cdb267ce40c5cd45306fa5d2f29731459387dbf9eb933b7bd5aed9a765b88d4d',
    '9046a64750444938de19f227bb80485e92b83fdb4b6506c160484c016cc1852f87909e14428a7a1d62e9f22f3d3ad7802db02eb2e688b6c52fcd6648a98bd009',
    true,
  ],
  [
    'passes with the cofactor only',
    'e47d62c63f830dc7a6851a0b1f33ae4bb2f507fb6cffec4011eaccd55b53f56c',
    'cdb267ce40c5cd45306fa5d2f29731459387dbf9eb933b7bd5aed9a765b88d4d',
    '160a1cb0dc9c0258cd0a7d23e94d8fa878bcb1925f2c64246b2dee1796bed5125ec6bc982a269b723e0668e540911a9a6a58921d6925e434ab10aa7940551a09',
    false,
  ],
  [
    'S beyond the group order',
    '85e241a07d148b41e47d62c63f830dc7a6851a0b1f33ae4bb2f507fb6cffec40',
    '442aad9f089ad9e14647b1ef9099a1ff4798d78589e66f28eca69c11f582a623',
    'e96f66be976d82e60150baecff9906684aebb1ef181f67a7189ac78ea23b6c0e547f7690a0e2ddcd04d87dbc3490dc19b3b3052f7ff0538cb68afb369ba3a514',
    false,
  ],
])('the portable verifier judges as WebCrypto: %s', async (_, message, key, signature, verdict) => {
  expect(await verifyEd25519(bytes(key), bytes(message), bytes(signature))).toBe(verdict);
  expect(verifyPortable(bytes(key), bytes(message), bytes(signature))).toBe(verdict);
});

test('keys of small order are refused', () => {
  const identity = Uint8Array.from({ length: 32 }, (_, index) => (index === 0 ? 1 : 0));
  expect(verifyPortable(identity, utf8('anything'), new Uint8Array(64))).toBe(false);
});

test.each([
  ['has no Ed25519', { ...crypto, subtle: { importKey: () => Promise.reject(new Error('NotSupported')) } }],
  ['is absent', undefined],
])('signatures and digests are checked where WebCrypto %s', async (_, stub) => {
  const party = await createSigningParty();
  const digest = `sha256:${'ab'.repeat(32)}` as const;
  const fields = await party.signer.signDigest(digest, '2026-06-01T12:00:00.000Z');
  const { raw } = party.publicKey;
  const { signature } = await party.signer.signBytes(utf8('exact bytes'));
  vi.stubGlobal('crypto', stub);

  expect(await verifyFields(fields, raw)).toBe(true);
  expect(await verifyFields({ ...fields, signedAt: '2026-06-01T12:00:00.001Z' }, raw)).toBe(false);
  expect(await verifyFields({ ...fields, keyId: 'two words' }, raw)).toBe(false);
  const signatureBytes = new Uint8Array(Buffer.from(signature, 'base64url'));
  expect(await verifyBytes(raw, utf8('exact bytes'), signatureBytes)).toBe(true);
  expect(await verifyBytes(raw, utf8('other bytes'), signatureBytes)).toBe(false);
  expect(await sha256Hex('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  expect(toHex(raw)).toHaveLength(64);
});
