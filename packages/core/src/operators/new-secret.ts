import { BRAND } from '@agent-marketplace/protocol/brand.ts';
import { sha256Hex } from '@agent-marketplace/protocol/crypto/digest.ts';
import { toHex } from '@agent-marketplace/protocol/crypto/encoding.ts';
import type { Ports } from '../kernel/ports/ports.ts';

/** A secret of 256 random bits, of which only the hash is kept. */
export async function newSecret({
  ids,
}: Pick<Ports, 'ids'>): Promise<{ secret: string; secretHash: string }> {
  const secret = BRAND.operatorSecretPrefix + toHex(ids.randomBytes(32));
  return { secret, secretHash: await sha256Hex(secret) };
}
