import type { JsonObject } from '../json/json.ts';
import { canonicalDigest } from './digest.ts';
import type { Digest } from './signed-statement.ts';
import type { Signer } from './signer.ts';
import { VERIFY_OPERATION } from './verify-operation.ts';

/** A signed claim that stands by itself, apart from the response that carried it. */
export interface SignedStatement<S> {
  readonly alg: 'ed25519';
  readonly digest: Digest;
  readonly keyId: string;
  readonly signature: string;
  readonly signedAt: string;
  /** What is claimed. Its `type` keeps one kind of statement from being passed off as another. */
  readonly statement: S;
  readonly verify: string;
}

/** Signs a statement over its RFC 8785 form: the same signature form as every receipt. */
export async function signStatement<S extends JsonObject & { type: string }>(
  signer: Signer,
  statement: S,
  signedAt: string,
): Promise<SignedStatement<S>> {
  const { digest, keyId, signature } = await signer.signDigest(await canonicalDigest(statement), signedAt);
  return { alg: 'ed25519', digest, keyId, signature, signedAt, statement, verify: VERIFY_OPERATION };
}
