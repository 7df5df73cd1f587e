import { createHash } from 'node:crypto';

interface Key {
  readonly id: string;
  readonly secret: CryptoKey;
}

let key: Promise<Key> | undefined;

async function importKey(secretJwk: string): Promise<Key> {
  const { kty, crv, d, x } = JSON.parse(secretJwk) as Record<string, string>;
  const jwk = { kty, crv, d, x } as JsonWebKey;
  const secret = await crypto.subtle.importKey('jwk', jwk, 'Ed25519', false, ['sign']);
  return { id: `ed25519-${x?.slice(0, 16)}`, secret };
}

export function digestOf(text: string | Uint8Array): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

export async function signatureOf(digest: string, secretJwk: string) {
  key ??= importKey(secretJwk);
  const { id, secret } = await key;
  const signedAt = new Date().toISOString();
  const message = new TextEncoder().encode(`${id}.${signedAt}.${digest}`);
  const signature = Buffer.from(await crypto.subtle.sign('Ed25519', secret, message)).toString('base64url');
  return { alg: 'ed25519', digest, keyId: id, signature, signedAt };
}

/** The least that a signed answer takes: one digest over the body's text, one signature, both appended. */
export async function signedResponse(text: string, secretJwk: string): Promise<Response> {
  const receipt = await signatureOf(digestOf(text), secretJwk);
  return new Response(`${text.slice(0, -1)},"provenance":${JSON.stringify({ receipt })}}`, {
    headers: { 'content-type': 'application/json' },
  });
}
