import { Refusal } from '../../kernel/errors.ts';
import type { Database } from '../../kernel/ports/database.ts';
import { listingErrors } from '../listings.errors.ts';
import { listRejected } from './health-declarations.store.ts';
import { hasCommonHealthWord } from './health-words.rules.ts';

/**
 * Refuses a declaration that an operator rejected before, of the same listing or of the same words in another: otherwise
 * a rejected listing would come back under a new id.
 */
export async function requireDeclarable(
  market: Database,
  declared: {
    readonly sellerId: string;
    readonly listingId: string | null;
    readonly words: readonly string[];
  },
): Promise<void> {
  const { sellerId, listingId, words } = declared;
  const rejected = await listRejected(market, sellerId);
  if (rejected.some((one) => one.listingId === listingId || hasCommonHealthWord(words, one.words))) {
    throw new Refusal(listingErrors.health_declaration_rejected);
  }
}
