import { Refusal } from '../kernel/errors.ts';
import { CardProcessorError } from '../kernel/ports/card-processor.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import { isoTime } from '../kernel/time.ts';
import { delayAccount, type PayoutAccount, savePayoutAccount } from './payout-accounts.store.ts';
import { frozenUntil } from './payout-change.rules.ts';
import {
  countCancelledAccounts,
  findCurrentChanges,
  findPayoutRoutes,
  hasDestination,
} from './payout-changes.store.ts';
import { changesFrozen, payoutErrors } from './payouts.errors.ts';

export interface Onboarding {
  readonly sellerId: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  readonly email: string | null;
  /** Where the person comes back to, done or not. */
  readonly returnUrl: string;
  /** Where a person with an expired link is sent. */
  readonly refreshUrl: string;
  /** Many may hold a claim link: an account that was filled in by one is not paid at once. */
  readonly setBy: PayoutAccount['setBy'];
  readonly changeHours: number;
}

/**
 * Gives a link to the page on which a person connects a seller's card payouts. The first call creates the seller's
 * account; each call makes a new link, since links expire soon. In place of an account that was closed another is opened.
 */
export async function startOnboarding(
  { market, cards, ids, clock, log }: Pick<Ports, 'market' | 'cards' | 'ids' | 'clock' | 'log'>,
  { sellerId, country, email, returnUrl, refreshUrl, setBy, changeHours }: Onboarding,
): Promise<{ url: string }> {
  if (cards === null) throw new Refusal(payoutErrors.payouts_not_available, { retryAfterSeconds: 3600 });
  const now = clock.now();
  const [routes, { cancelled }] = await Promise.all([
    findPayoutRoutes(market, [sellerId], isoTime(now)),
    findCurrentChanges(market, sellerId, now),
  ]);
  const { wallet, account } = routes.get(sellerId) ?? { wallet: null, account: null };
  const isFirst = setBy === 'key' && !hasDestination({ wallet, account });
  const frozen = frozenUntil(cancelled, now, { isFirst });
  if (frozen !== null) throw changesFrozen(frozen);
  const isReused = account !== null && (account.country === country || account.payoutsEnabled);
  /** `closedId`: of the account that it comes in place of. */
  const openAccount = async (closedId: string | null): Promise<string> => {
    if (!cards.servesCountry(country)) throw new Refusal(payoutErrors.country_not_served);
    // The country is part of the key: an account's country cannot be changed. Nor may a cancelled or closed account come back.
    const before = await countCancelledAccounts(market, sellerId);
    const rest = `${before === 0 ? '' : `:${before + 1}`}${closedId === null ? '' : `:after:${closedId}`}`;
    const key = `seller:${sellerId}:account:${country}${rest}`;
    const { accountId } = await cards.createAccount(key, { sellerId, country, email });
    await market.commit([savePayoutAccount({ sellerId, accountId, country, createdAt: isoTime(now) })]);
    return accountId;
  };
  /** Null: the account was closed. */
  const linkTo = async (accountId: string): Promise<{ url: string } | null> => {
    // After a cancellation not even the first one is paid at once (`isAtOnce`).
    if (setBy === 'claim_link' || (account?.enabledAt ?? null) !== null || cancelled.length > 0)
      await market.commit([delayAccount(sellerId, setBy, changeHours)]);
    const key = `seller:${sellerId}:onboarding:${ids.uuid()}`;
    return cards.createOnboardingLink(key, { accountId, returnUrl, refreshUrl });
  };
  try {
    const accountId = isReused ? account.accountId : await openAccount(null);
    const link = await linkTo(accountId);
    if (link !== null) return link;
    // What can be paid by our records is replaced once the processor was asked about it, which a job does.
    const isSeenClosed = isReused && !account.payoutsEnabled;
    const next = isSeenClosed ? await linkTo(await openAccount(accountId)) : null;
    if (next !== null) return next;
    throw new CardProcessorError('The account was closed.', false);
  } catch (error) {
    if (!(error instanceof CardProcessorError)) throw error;
    log.error('onboarding_failed', { sellerId, message: error.message });
    throw new Refusal(payoutErrors.payouts_not_available, { retryAfterSeconds: 5 });
  }
}
