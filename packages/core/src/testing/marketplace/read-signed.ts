import { fromBase64Url, toHex, utf8 } from '@agent-marketplace/protocol/crypto/encoding.ts';
import { keyIdOf } from '@agent-marketplace/protocol/crypto/key-id.ts';
import { TEST_SIGNING_KEY } from './test-bindings.ts';

export interface Receipt {
  alg: string;
  digest: string;
  keyId: string;
  signature: string;
  signedAt: string;
  verify: string;
}

/** A signed answer whose provenance was found good, freed of it. */
export interface SignedBody {
  readonly body: Record<string, unknown>;
  readonly receipt: Receipt;
  readonly provenance: Record<string, unknown>;
  readonly text: string;
}

/**
 * Checks a response's provenance in the three ways the contract promises (bytes as cut, served order,
 * sorted keys), with nothing of the code that made it, and gives what was signed. Throws if one fails.
 */
export async function readSigned(response: Response, signingKey = TEST_SIGNING_KEY): Promise<SignedBody> {
  return checkSigned(await response.text(), signingKey);
}

async function checkSigned(text: string, signingKey = TEST_SIGNING_KEY): Promise<SignedBody> {
  const { provenance, ...body } = JSON.parse(text) as Record<string, unknown> & { provenance: Provenance };
  if (!provenance) throw new Error(`no provenance in ${text.slice(0, 200)}`);
  for (const member of ['platform', 'operator', 'docs']) {
    if (typeof provenance[member] !== 'string') throw new Error(`provenance lacks ${member}`);
  }
  const { receipt } = provenance;
  if (Object.keys(receipt).sort().join() !== RECEIPT_MEMBERS) {
    throw new Error(`receipt has ${Object.keys(receipt)}`);
  }
  if (receipt.alg !== 'ed25519') throw new Error(`alg ${receipt.alg}`);
  if (receipt.verify !== 'POST /verify-receipt') throw new Error(`verify ${receipt.verify}`);
  if (new Date(receipt.signedAt).toISOString() !== receipt.signedAt) throw new Error('signedAt');

  const payloads = { cut: cutOff(text), served: JSON.stringify(body), sorted: JSON.stringify(sorted(body)) };
  const checked = new Set<string>();
  for (const [way, payload] of Object.entries(payloads)) {
    // Mostly they are the same text.
    if (checked.has(payload)) continue;
    if (receipt.digest !== (await digestOfText(payload))) {
      throw new Error(`digest differs, ${way}: ${payload.slice(0, 500)}`);
    }
    checked.add(payload);
  }
  await checkSignature(receipt, signingKey);
  return { body, receipt, provenance, text };
}

type Provenance = Record<string, unknown> & { receipt: Receipt };

const RECEIPT_MEMBERS = 'alg,digest,keyId,signature,signedAt,verify';

function cutOff(text: string): string {
  const at = text.lastIndexOf('"provenance":{"docs":');
  if (at === -1) throw new Error('provenance is not the last member');
  return `${text.slice(0, at).replace(/,$/, '')}}`;
}

/** Throws unless the key signed `<keyId>.<signedAt>.<digest>`. */
export async function checkSignature(
  { keyId, signedAt, digest, signature }: Omit<Receipt, 'alg' | 'verify'>,
  signingKey = TEST_SIGNING_KEY,
): Promise<void> {
  const { key, id } = await publicKeyOf(signingKey);
  if (keyId !== id) throw new Error(`keyId ${keyId}`);
  const good = await crypto.subtle.verify(
    'Ed25519',
    key,
    fromBase64Url(signature) as BufferSource,
    utf8(`${keyId}.${signedAt}.${digest}`) as BufferSource,
  );
  if (!good) throw new Error('the signature is not of this key and message');
}

interface PublicKey {
  readonly key: CryptoKey;
  readonly id: string;
}

const publicKeys = new Map<string, Promise<PublicKey>>();

/** Imported once: thousands of answers are checked by the same key. */
function publicKeyOf(signingKey: string): Promise<PublicKey> {
  const known = publicKeys.get(signingKey) ?? importPublicKey(signingKey);
  publicKeys.set(signingKey, known);
  return known;
}

async function importPublicKey(signingKey: string): Promise<PublicKey> {
  const raw = fromBase64Url((JSON.parse(signingKey) as { x: string }).x) as Uint8Array;
  const key = await crypto.subtle.importKey('raw', raw as BufferSource, 'Ed25519', false, ['verify']);
  return { key, id: await keyIdOf(raw) };
}

/** SHA-256 over a value with all its keys sorted: what statements and deliverables are bound by. */
export async function digestOfSorted(value: unknown): Promise<string> {
  return digestOfText(JSON.stringify(sorted(value)));
}

async function digestOfText(text: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', utf8(text) as BufferSource);
  return `sha256:${toHex(new Uint8Array(hash))}`;
}

/** As a reader in another language would sort: every object's keys, arrays as they are. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, member]) => [key, sorted(member)]));
}
