import { Refusal } from '../../kernel/errors.ts';
import { listingErrors } from '../listings.errors.ts';
import { type ListingWords, personalHealthWords } from './health-words.rules.ts';

/** Refuses what reads like a single person's health data, but for words that its seller has spoken for already. */
export function requireHealthFlow(listing: ListingWords, declaredWords: readonly string[]): void {
  const words = personalHealthWords(listing).filter((word) => !declaredWords.includes(word));
  if (words.length > 0) throw healthFlowRefusal(words);
}

export function healthFlowRefusal(words: readonly string[]): Refusal {
  if (words.length === 0) return new Refusal(listingErrors.health_flow_required);
  const { remedy } = listingErrors.health_flow_required;
  const detail = `It says: ${words.map((word) => `“${word}”`).join(', ')}. ${remedy}`;
  return new Refusal(listingErrors.health_flow_required, { detail });
}
