import * as z from 'zod';
import { arePayoutsConnected, setSellerCountry } from '../agents/index.ts';
import { defineOperation } from '../kernel/operation/operation.ts';
import type { Statement } from '../kernel/ports/database.ts';
import { isoTime } from '../kernel/time.ts';
import { addTaxDetails, findPayoutAccount, payoutErrors, startOnboarding } from '../payouts/index.ts';
import { DEFAULT_COUNTRY, payoutCountry } from './payout-country.schema.ts';
import { claimErrors, requireClaim } from './payouts/require-claim.ts';
import { taxDetails } from './tax-details.schema.ts';

/** The claim page's second step. The link replaces the seller's API key. */
export const claimPayouts = defineOperation({
  name: 'claimPayouts',
  summary: 'Where the person behind a seller connects payouts, by claim link.',
  description:
    'Each call gives a fresh link to the card processor; such links are short-lived. An account that is set so is paid ' +
    'some time after it can be (`PAYOUT_CHANGE_HOURS`, 48 by default): until then the seller can cancel it.',
  area: 'Selling',
  auth: 'none',
  input: z.object({
    token: z.string().max(200).describe('The last part of the claimUrl.'),
    country: payoutCountry,
    tax: taxDetails.optional(),
  }),
  output: z.object({
    connected: z.boolean(),
    onboardingUrl: z.url().nullable().describe('Null once payouts are connected.'),
  }),
  errors: [
    ...claimErrors,
    payoutErrors.country_not_served,
    payoutErrors.payout_changes_frozen,
    payoutErrors.payouts_not_available,
  ],
  http: { method: 'post', path: '/sell/claims/{token}/payouts', status: 200 },
  rate: 'write',
  replay: 'stored',
  async handle(ctx, { token, country, tax }) {
    const { ports } = ctx;
    const { sellerId } = await requireClaim(ctx, token);
    const answer = async (onboardingUrl: string | null, statements: readonly Statement[] = []) => {
      const said = { connected: onboardingUrl === null, onboardingUrl };
      const details = tax ? [addTaxDetails(sellerId, tax, isoTime(ctx.now))] : [];
      await ctx.commit([...statements, ...details], said);
      return said;
    };
    const [connected, account] = await Promise.all([
      arePayoutsConnected(ports.market, sellerId),
      findPayoutAccount(ports.market, sellerId),
      ctx.requireQuota(),
    ]);
    if (connected) return answer(null);
    const site = ctx.settings.siteUrl ?? new URL(ctx.baseUrl).origin;
    // The processor returns the person to the claim page in either case, which shows the state, or that the link has ended.
    const page = `${site}/claim/${token}`;
    const { url } = await startOnboarding(ports, {
      sellerId,
      country: country ?? account?.country ?? DEFAULT_COUNTRY,
      email: null,
      returnUrl: page,
      refreshUrl: `${page}?link=ended`,
      setBy: 'claim_link',
      changeHours: ctx.settings.payoutChangeHours,
    });
    return answer(url, country === undefined ? [] : [setSellerCountry(sellerId, country)]);
  },
});
