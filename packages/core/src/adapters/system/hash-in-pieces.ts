import { createHash } from 'node:crypto';
import type { HashInPieces } from '../../kernel/ports/seller-endpoint.ts';

/** WebCrypto hashes only what is there as a whole. */
export function hashInPieces(): HashInPieces {
  const hash = createHash('sha256');
  return {
    update: (bytes) => void hash.update(bytes),
    digest: () => `sha256:${hash.digest('hex')}`,
  };
}
