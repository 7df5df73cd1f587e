import { sha256Hex } from '@agent-marketplace/protocol/crypto/digest.ts';

/**
 * What the list of erasures names an account by. An id is random, so its digest tells nobody who has not the id; and it
 * is under no secret, so the list is good after secrets were changed.
 */
export const erasureDigest = (agentId: string): Promise<string> => sha256Hex(`erasure ${agentId}`);
