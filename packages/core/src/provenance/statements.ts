import { canonicalDigest } from '../kernel/crypto/digest.ts';
import type { Digest } from '../kernel/crypto/signed-statement.ts';
import { VERIFY_OPERATION } from '../kernel/crypto/verify-operation.ts';
import type { JsonObject } from '../kernel/json/json.ts';
import type { Signer } from '../kernel/ports/signer.ts';
import type { IsoTime } from '../kernel/time.ts';

/** A signed claim that stands by itself, apart from the response that carried it. */
export interface SignedStatement<S> {
  readonly alg: 'ed25519';
  readonly digest: Digest;
  readonly keyId: string;
  readonly signature: string;
  readonly signedAt: IsoTime;
  /** What is claimed. Its `type` keeps one kind of statement from being passed off as another. */
  readonly statement: S;
  readonly verify: string;
}

/** Signs a statement over its RFC 8785 form: the same signature form as every receipt. */
export async function signStatement<S extends JsonObject & { type: string }>(
  signer: Signer,
  statement: S,
  signedAt: IsoTime,
): Promise<SignedStatement<S>> {
  const { digest, keyId, signature } = await signer.signDigest(await canonicalDigest(statement), signedAt);
  return { alg: 'ed25519', digest, keyId, signature, signedAt, statement, verify: VERIFY_OPERATION };
}
