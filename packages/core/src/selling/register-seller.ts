import * as z from 'zod';
import {
  addMissingEmail,
  arePayoutsConnected,
  connect,
  connectOf,
  insertSeller,
  newAgent,
  readOwnRecord,
  registrationFields,
  setSellerCountry,
} from '../agents/index.ts';
import { commonErrors, Refusal } from '../kernel/errors.ts';
import { defineOperation, type OperationContext } from '../kernel/operation/operation.ts';
import type { Statement } from '../kernel/ports/database.ts';
import { isoTime } from '../kernel/time.ts';
import { payoutErrors, startOnboarding } from '../payouts/index.ts';
import { DEFAULT_COUNTRY, payoutCountry } from './payout-country.schema.ts';

const input = z.object({
  ...registrationFields,
  country: payoutCountry,
});

const output = z.object({
  apiKey: z.string().nullable().describe('Shown once; null when your existing key was linked.'),
  connect,
  createdAt: z.iso.datetime(),
  id: z.uuid(),
  name: z.string().nullable().describe('As registered now; null when linking, which leaves it as it was.'),
  onboardingUrl: z
    .string()
    .nullable()
    .describe(
      'Where a person connects card payouts. Short-lived: for another, call again without the same Idempotency-Key. ' +
        'Null once connected, or without a card processor.',
    ),
  payouts: z.object({
    connected: z.boolean(),
    provider: z.string().nullable(),
    requiredFor: z.literal('priced listings'),
  }),
  sellerId: z.uuid(),
});
type Output = z.output<typeof output>;

/** Clause: POST /sell/register; Authentication 1: it links an existing key or mints a new one. */
export const registerSeller = defineOperation({
  name: 'registerSeller',
  summary: 'Become a seller: with your API key, or with a new one made here.',
  description:
    'With a key, the agent it belongs to becomes a seller: its name stays as it is, an e-mail address is ' +
    'kept if it has none. Without one a new agent is made, whose key is shown in this response only. ' +
    'Free listings need no payouts. For priced ones a person opens onboardingUrl once; it is null where no ' +
    'card processor is configured or reachable, and can be had by calling again with the key.',
  area: 'Selling',
  auth: 'optional',
  scope: 'sell',
  input,
  output,
  errors: [payoutErrors.country_not_served],
  http: { method: 'post', path: '/sell/register', status: 201 },
  mcp: {
    tool: 'become_seller',
    title: 'Become a seller',
    description:
      'Say where your payouts go. Turns your key into one that sells or, without a key, registers an agent that ' +
      'sells; sell_data does the former by itself. Free. Next: set_delivery_endpoint.',
    unlisted: ['referralSource', 'referrer', 'utm'],
    hints: { readOnly: false, destructive: false, idempotent: false },
  },
  rate: 'register',
  async replay(_ctx, outcome) {
    if (outcome === null) throw new Refusal(commonErrors.idempotency_not_replayable);
    return outcome as Output;
  },
  handle: (ctx, registration) => {
    const { country = DEFAULT_COUNTRY } = registration;
    if (ctx.ports.cards?.servesCountry(country) === false) throw new Refusal(payoutErrors.country_not_served);
    return ctx.caller ? link(ctx, ctx.caller.agentId, registration) : mint(ctx, registration);
  },
});

interface Payee {
  readonly country: string;
  readonly email: string | null;
}

/** Adds the link to the payout page. If the processor is down the link is null: the registration stands. */
async function withOnboarding(ctx: OperationContext, answer: Output, payee: Payee): Promise<Output> {
  // A smoke-test agent is never paid, so it has no account to connect.
  if (ctx.ports.cards === null || answer.payouts.connected || ctx.caller?.isSmokeTest) return answer;
  const site = ctx.settings.siteUrl ?? new URL(ctx.baseUrl).origin;
  const onboarding = {
    sellerId: answer.id,
    ...payee,
    returnUrl: `${site}/seller/payouts`,
    // The processor leads there from a link that was used before, or is too old: the page says so.
    refreshUrl: `${site}/seller/payouts?link=ended`,
    setBy: 'key' as const,
    changeHours: ctx.settings.payoutChangeHours,
  };
  const onboardingUrl = await startOnboarding(ctx.ports, onboarding).then(
    ({ url }) => url,
    () => null,
  );
  return { ...answer, onboardingUrl };
}

async function mint(
  ctx: OperationContext,
  { country, ...registration }: z.output<typeof input>,
): Promise<Output> {
  const { row, apiKey, createdAt, statements } = await newAgent(ctx, registration);
  await ctx.commit([...statements, insertSeller(row.id, country ?? null, createdAt)], null);
  const agent = { id: row.id, handle: row.handle, createdAt };
  const payee = { country: country ?? DEFAULT_COUNTRY, email: registration.email ?? null };
  return withOnboarding(ctx, answer(ctx, agent, { apiKey, connected: false, name: row.name }), payee);
}

async function link(
  ctx: OperationContext,
  agentId: string,
  { country, email }: z.output<typeof input>,
): Promise<Output> {
  const [agent, connected] = await Promise.all([
    readOwnRecord(ctx.ports.market, agentId),
    arePayoutsConnected(ctx.ports.market, agentId),
  ]);
  if (!agent) throw new Refusal(commonErrors.invalid_api_key);
  const statements: Statement[] = [insertSeller(agentId, country ?? null, isoTime(ctx.now))];
  if (country !== undefined) statements.push(setSellerCountry(agentId, country));
  if (email !== undefined) statements.push(addMissingEmail(agentId, email));
  const linked = answer(ctx, agent, { apiKey: null, connected, name: null });
  const payee = { country: country ?? DEFAULT_COUNTRY, email: email ?? null };
  // The seller is committed before the processor is called; the outcome is stored with its answer.
  await ctx.ports.market.commit(statements);
  const complete = await withOnboarding(ctx, linked, payee);
  await ctx.commit([], complete);
  return complete;
}

function answer(
  { baseUrl, ports }: OperationContext,
  { id, handle, createdAt }: { readonly id: string; readonly handle: string; readonly createdAt: string },
  { apiKey, connected, name }: { apiKey: string | null; connected: boolean; name: string | null },
): Output {
  return {
    apiKey,
    connect: connectOf(handle, baseUrl),
    createdAt,
    id,
    name,
    onboardingUrl: null,
    payouts: { connected, provider: ports.cards ? 'stripe' : null, requiredFor: 'priced listings' },
    sellerId: id,
  };
}
