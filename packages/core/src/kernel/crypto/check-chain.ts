import { canonicalDigest, type Digest } from '@agent-marketplace/protocol/crypto/digest.ts';
import {
  checkSignatureFields,
  type SignatureFields,
} from '@agent-marketplace/protocol/crypto/signed-statement.ts';
import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';

/** A signed statement that names the digest of the one before it. */
export interface ChainLink extends SignatureFields {
  /** 1 for the first link, and one more for each further. */
  readonly position: number;
  /** The digest of the link before; null in the first. The statement holds it too. */
  readonly previousDigest: Digest | null;
  /** What the digest is of; null: it was erased, and the digest stands for itself. */
  readonly statement: JsonObject | null;
}

export type ChainFault = 'gap' | 'broken_link' | 'wrong_digest' | 'unknown_key' | 'wrong_signature';

export type ChainCheck =
  | { readonly valid: true }
  | { readonly valid: false; readonly position: number; readonly fault: ChainFault };

type ChainHead = Pick<ChainLink, 'position' | 'digest'>;

/**
 * Checks every link: positions without gaps, each bound to the one before, each signature good. The first link follows
 * `before`; null: it is the first of the chain.
 */
export async function checkChain(
  links: readonly ChainLink[],
  publicKeyOf: (keyId: string) => Uint8Array | undefined,
  before: ChainHead | null = null,
): Promise<ChainCheck> {
  let head = before;
  for (const link of links) {
    const fault = await faultOf(link, head, publicKeyOf);
    if (fault) return { valid: false, position: link.position, fault };
    head = link;
  }
  return { valid: true };
}

async function faultOf(
  link: ChainLink,
  head: ChainHead | null,
  publicKeyOf: (keyId: string) => Uint8Array | undefined,
): Promise<ChainFault | null> {
  if (link.position !== (head?.position ?? 0) + 1) return 'gap';
  if (link.previousDigest !== (head?.digest ?? null)) return 'broken_link';
  if (link.statement !== null && (await canonicalDigest(link.statement)) !== link.digest)
    return 'wrong_digest';
  const publicKey = publicKeyOf(link.keyId);
  if (!publicKey) return 'unknown_key';
  return (await checkSignatureFields(link, publicKey)) ? null : 'wrong_signature';
}
