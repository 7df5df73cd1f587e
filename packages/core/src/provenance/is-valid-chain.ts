import type { PublicKey, Signer } from '@agent-marketplace/protocol/crypto/signer.ts';
import { type ChainLink, checkChain } from '../kernel/crypto/check-chain.ts';

/** Whether the links follow from one another, and were signed here, now or by a key that was published. */
export async function isValidChain(
  signer: Signer,
  published: readonly PublicKey[],
  links: readonly ChainLink[],
  before: Pick<ChainLink, 'position' | 'digest'> | null,
): Promise<boolean> {
  const active = await signer.activeKey();
  const keys = new Map([...published, active].map(({ keyId, raw }) => [keyId, raw]));
  return (await checkChain(links, (keyId) => keys.get(keyId), before)).valid;
}
