import { payAndQuery, SpendingLimit, TooExpensiveError, verifyPurchaseReceipt } from '@agent-marketplace/sdk';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { startSellerServer } from '../seller-server.ts';
import { type CardStage, connectPayouts, dollars } from './money/card-stage.ts';
import { type Stage, short, withoutNetwork } from './stage.ts';
import { StepFailed } from './story.ts';

const PRICE_CENTS = 3;
/** USDC has six decimals. */
const PRICE_UNITS = 30_000n;
const POCKET_UNITS = 1_000_000n;

/** Knots, by station. */
const WINDS: Readonly<Record<string, number>> = { Cascais: 14, Ouessant: 31 };
const LISTING = {
  title: 'Wind at the station, now',
  description: 'Mean wind of the last ten minutes in knots, at the coastal station that you name.',
  preview: { stations: Object.keys(WINDS) },
  priceCents: PRICE_CENTS,
  consent: true,
  inputSchema: {
    type: 'object',
    properties: { station: { type: 'string', maxLength: 64 } },
    required: ['station'],
    additionalProperties: false,
  },
} as const;

/** An agent that has no account here, only USDC, buys one answer for a few cents. */
export async function payWithUsdc(stage: Stage): Promise<void> {
  const { story, stranger, cards, chain, keys, now } = stage;
  story.chapter('One answer for three cents in USDC, without an account');
  if (cards === null || chain === null) {
    story.say(
      'Skipped: real Stripe keys or your own chain are set, and this chapter must not spend real money.',
    );
    return;
  }
  const { seller, listingId } = await listProduct({ ...stage, cards });
  const account = privateKeyToAccount(generatePrivateKey());
  await chain.control.mint(account.address, POCKET_UNITS);
  story.fact('the chain', 'Base on this machine (anvil), with test USDC that anyone can mint');
  story.fact('an agent', `${short(account.address)}, with 1.00 USDC only: no API key, no account here`);

  const balances = async () => [
    await chain.control.balanceOf(account.address),
    await chain.control.balanceOf(chain.payTo),
  ];
  const [pocket = 0n, platformBefore = 0n] = await balances();
  const query = { station: 'Ouessant' };
  const limit = new SpendingLimit(5);
  const options = { maxPriceCents: PRICE_CENTS, limit, now };

  const tooDear = await payAndQuery(stranger, listingId, query, account, {
    ...options,
    maxPriceCents: 2,
  }).catch((error: unknown) => error);
  story.check(
    tooDear instanceof TooExpensiveError && limit.usedCents === 0,
    'with a limit of 2 cents, it signs nothing',
  );

  const answer = await payAndQuery(stranger, listingId, query, account, options);
  story.fact('requests', `GET /x402/listings/{id}/query?station=${query.station}: 402 with the price`);
  story.fact(
    'signs',
    `one transfer of ${PRICE_UNITS} units, sends it with the same request, and gets the answer`,
  );
  story.fact('answer', `${answer.content.knots} knots at ${answer.content.station}`);
  story.fact('transaction', short(answer.transaction));
  const [pocketAfter = 0n, platformAfter = 0n] = await balances();
  story.check(
    pocket - pocketAfter === PRICE_UNITS && platformAfter - platformBefore === PRICE_UNITS,
    `on chain: ${PRICE_UNITS} units less for the payer, ${platformAfter - platformBefore} more at the platform`,
  );
  const receipt = await withoutNetwork(() => verifyPurchaseReceipt(answer.purchase, keys));
  story.check(receipt.valid, 'the receipt verifies offline and binds this answer');

  const refusal = await payAndQuery(stranger, listingId, query, account, options).catch(
    (error: unknown) => error,
  );
  story.check(
    refusal instanceof TooExpensiveError && refusal.limit === 'total',
    `a second answer would exceed its total limit of ${limit.totalCents} cents: it signs nothing`,
  );

  const { pendingCents, availableCents } = await seller.getEarnings();
  const { status, platformFeeCents, holdUntil } = answer.purchase;
  story.check(
    status === 'held' && availableCents === 0 && pendingCents === PRICE_CENTS - platformFeeCents,
    `the sale is 'held' until ${holdUntil}: ${dollars(pendingCents)} for the seller, in escrow`,
  );
}

async function listProduct(platformBefore: CardStage) {
  const { lifetime, stranger, baseUrl, now } = platformBefore;
  const { apiKey, onboardingUrl } = await stranger.registerSeller({ name: 'Lighthouse' });
  if (apiKey === null) throw new StepFailed('The registration of a new seller returned no API key.');
  const seller = stranger.withApiKey(apiKey);
  const { listing } = await seller.createListing(LISTING);
  const server = await startSellerServer({
    marketplace: baseUrl,
    deliver: ({ query: { station } }) => {
      const knots = typeof station === 'string' ? WINDS[station] : undefined;
      return knots === undefined ? null : { station: String(station), knots };
    },
    now,
  });
  lifetime.defer(server.close);
  await seller.setDeliveryEndpoint({ callbackUrl: server.callbackUrl });
  await connectPayouts(platformBefore, onboardingUrl);
  return { seller, listingId: listing.id };
}
