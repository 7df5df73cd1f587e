import { SERVED_COUNTRIES } from '@agent-marketplace/core/adapters/stripe/served-countries.data.ts';
import { accountCurrency } from '../account-currency.ts';
import type { Account, AccountLink } from '../objects.ts';
import { badParam, Problem } from '../problem.ts';
import type { OnboardingLink } from '../records.ts';
import { find, newId, seconds, type World } from '../world.ts';
import { endpoint, noParams } from './endpoint.ts';
import { bool, email, expand, hash, metadata, oneOf, params, text, url } from './params.ts';

/** Stripe's links open for a few minutes. */
const LINK_SECONDS = 5 * 60;
const DUE = ['business_profile.url', 'external_account', 'individual.first_name', 'tos_acceptance.date'];

const create = params(
  {},
  {
    capabilities: hash({}, { transfers: hash({}, { requested: bool }) }),
    controller: hash(
      {},
      {
        fees: hash({}, { payer: oneOf('account', 'application') }),
        losses: hash({}, { payments: oneOf('application', 'stripe') }),
        requirement_collection: oneOf('application', 'stripe'),
        stripe_dashboard: hash({}, { type: oneOf('express', 'full', 'none') }),
      },
    ),
    country: text(2),
    email,
    expand,
    metadata,
  },
);

const createLink = params(
  { account: text(), type: oneOf('account_onboarding', 'account_update') },
  { expand, refresh_url: url, return_url: url },
);

function findAccount(world: World, id: string, status: 400 | 404 = 404): Account {
  const account = find(world.state.accounts, id, { what: 'account', param: 'account', status });
  if (!account.isClosed) return account;
  // Stripe's words quote a part of the key.
  const message = `The provided key 'sk_test_***' does not have access to account '${id}' (or that account does not exist). Application access may have been revoked.`;
  throw new Problem(403, message, { code: 'account_invalid' });
}

export const accountEndpoints = [
  endpoint('POST', '/v1/accounts', create, (world, input) => {
    const { country = 'US' } = input;
    if (!SERVED_COUNTRIES.has(country))
      throw badParam(`Country '${country}' is unknown or not supported.`, 'country', 'country_unsupported');
    if (!input.controller) {
      throw badParam('Only accounts with a `controller` are served here.', 'controller');
    }
    const account: Account = {
      id: newId('acct', 16),
      object: 'account',
      capabilities: input.capabilities?.transfers?.requested ? { transfers: 'inactive' } : {},
      charges_enabled: false,
      controller: { ...input.controller, is_controller: true, type: 'application' },
      country,
      created: seconds(world),
      default_currency: accountCurrency(country),
      details_submitted: false,
      settings: { payouts: { schedule: { interval: 'daily' } } },
      email: input.email ?? null,
      metadata: input.metadata ?? {},
      payouts_enabled: false,
      requirements: { currently_due: [...DUE], disabled_reason: 'requirements.past_due' },
      type: 'express',
    };
    world.state.accounts[account.id] = account;
    return account;
  }),
  endpoint('GET', '/v1/accounts/:id', noParams, (world, _, id) => findAccount(world, id)),
  endpoint('POST', '/v1/account_links', createLink, (world, input) => {
    findAccount(world, input.account, 400);
    if (input.type === 'account_update')
      throw badParam('You cannot create `account_update` type Account Links for this account.', 'type');
    if (!input.return_url || !input.refresh_url)
      throw badParam('You must provide `return_url` and `refresh_url`.', 'return_url', 'parameter_missing');
    const token = newId('link', 40);
    const link: OnboardingLink = {
      account: input.account,
      returnUrl: input.return_url,
      refreshUrl: input.refresh_url,
      expiresAt: seconds(world) + LINK_SECONDS,
      state: 'fresh',
    };
    world.state.accountLinks[token] = link;
    const answer: AccountLink = {
      object: 'account_link',
      created: seconds(world),
      expires_at: link.expiresAt,
      url: `${world.baseUrl}/onboarding/${token}`,
    };
    return answer;
  }),
];
