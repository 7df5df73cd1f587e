import { generateKeyPairSync, sign } from 'node:crypto';
import { canonicalDigest, type Digest } from '@agent-marketplace/protocol/crypto/digest.ts';
import { signatureMessage } from '@agent-marketplace/protocol/crypto/signed-statement.ts';
import { expect, it } from 'vitest';
import { type ChainLink, checkChain } from './check-chain.ts';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
const keys = (keyId: string) => (keyId === 'key-1' ? new Uint8Array(raw) : undefined);

async function linkAfter(previous: ChainLink | null, text: string): Promise<ChainLink> {
  const position = (previous?.position ?? 0) + 1;
  const previousDigest: Digest | null = previous?.digest ?? null;
  const statement = { position, previousDigest, text };
  const fields = {
    keyId: 'key-1',
    signedAt: '2026-06-01T12:00:00.000Z',
    digest: await canonicalDigest(statement),
  };
  const signature = sign(null, signatureMessage(fields), privateKey).toString('base64url');
  return { ...fields, signature, position, previousDigest, statement };
}

const first = await linkAfter(null, 'one');
const second = await linkAfter(first, 'two');
const third = await linkAfter(second, 'three');
const other = await linkAfter(first, 'another two');

it('accepts a chain from its beginning, and a part that follows what came before it', async () => {
  expect(await checkChain([first, second, third], keys)).toEqual({ valid: true });
  expect(await checkChain([third], keys, second)).toEqual({ valid: true });
});

it.each([
  ['a link left out', [first, third], null, 'gap', 3],
  ['a beginning left out', [second, third], null, 'gap', 2],
  ['a link of another branch', [first, other, third], null, 'broken_link', 3],
  ['a part that follows something else', [third], other, 'broken_link', 3],
  ['another statement', [first, { ...second, statement: { text: 'x' } }], null, 'wrong_digest', 2],
  ['a key that nobody published', [{ ...first, keyId: 'key-2' }], null, 'unknown_key', 1],
  ['a signature of something else', [{ ...first, signature: second.signature }], null, 'wrong_signature', 1],
  ['another time', [{ ...first, signedAt: '2027-06-01T12:00:00.000Z' }], null, 'wrong_signature', 1],
] as const)('refuses %s', async (_, links, before, fault, position) => {
  expect(await checkChain(links, keys, before)).toEqual({ valid: false, position, fault });
});
