import {
  type MarketplaceClient,
  MarketplaceError,
  PaymentRefusedError,
  PaymentUnresolvedError,
  payAndQuery,
  resumePayment,
  TooExpensiveError,
  UnacceptableTermsError,
  WrongAnswerError,
} from '@agent-marketplace/sdk';
import { money } from '../../../format/figures.ts';
import { NO_FACTS, refusalFacts } from '../../../order/refusal-facts.ts';
import type { RefusalFacts } from '../../../order/refusal-words.ts';
import { accountIn, findWallets, WalletRefusal } from './browser-wallet.ts';
import { type Bought, type KeptOrder, keepOrder, OrderNotKept, requireRoom } from './kept-orders.ts';

/** Why there is no answer, in a form that the page has words for. */
class UsdcRefusal extends Error {
  readonly facts: RefusalFacts;

  constructor(facts: Partial<RefusalFacts> & Pick<RefusalFacts, 'code'>, cause: unknown) {
    super(facts.code, { cause });
    this.facts = { ...NO_FACTS, charged: false, ...facts };
  }
}

/** A person is told when to look again, instead of waiting a minute without a word. */
const MAX_DELAY_MS = 10_000;

/**
 * Pays one query from a wallet of the browser: one signature, kept before it is sent. An order that has a signed payment is
 * sent again with it, and nothing is signed. Of several wallets, the one with `walletId` is asked.
 */
export async function payInUsdc(
  client: MarketplaceClient,
  order: KeptOrder,
  say: (text: string) => void,
  walletId: string | null,
): Promise<Bought> {
  const { listingId, query, priceCents, payment } = order;
  // An answer that was lost may have charged it.
  let isFirstTry = payment === null;
  const patience = {
    maxDelayMs: MAX_DELAY_MS,
    sleep: (durationMs: number) => {
      isFirstTry = false;
      return new Promise<void>((resolve) => setTimeout(resolve, durationMs));
    },
  };
  try {
    if (payment !== null) {
      say('Sending the signed payment again. It may take two minutes.');
      return boughtOf(await resumePayment(client, payment, patience));
    }
    requireRoom(order);
    const wallets = await findWallets();
    const wallet = wallets.length > 1 ? wallets.find(({ id }) => id === walletId) : wallets[0];
    if (wallet === undefined) throw new WalletRefusal(wallets.length > 1 ? 'no_wallet_chosen' : 'no_wallet');
    say(`Asking ${wallet.name} for its account.`);
    const account = await accountIn(wallet, {
      onSwitch: () => say(`${wallet.name} is on another network: confirm there to switch it to Base.`),
      onSign: () => say(`Sign the transfer of ${money(priceCents)} in ${wallet.name}. You pay no gas.`),
    });
    const paid = await payAndQuery(client, listingId, query ?? {}, account, {
      ...patience,
      maxPriceCents: priceCents,
      onSigned(signed) {
        keepOrder({ ...order, payment: signed });
        say('Asking the seller, up to 30 s, then settling the payment.');
      },
    });
    return boughtOf(paid);
  } catch (error) {
    throw error instanceof OrderNotKept ? error : new UsdcRefusal(factsOf(error, isFirstTry), error);
  }
}

function boughtOf({ purchase }: Awaited<ReturnType<typeof payAndQuery>>): Bought {
  return { purchase, pageUrl: purchase.purchaseUrl };
}

/** `isFirstTry`: nothing else can have become of the payment than what the error says. */
function factsOf(error: unknown, isFirstTry: boolean): Partial<RefusalFacts> & Pick<RefusalFacts, 'code'> {
  if (error instanceof WalletRefusal) return { code: error.reason };
  if (error instanceof TooExpensiveError) return { code: 'price_above_max' };
  if (error instanceof UnacceptableTermsError) return { code: 'terms_not_accepted' };
  if (error instanceof PaymentUnresolvedError) {
    const { cause } = error;
    if (!(cause instanceof MarketplaceError) || cause.code !== 'rate_limited')
      return { code: 'payment_unresolved', charged: null };
    return { ...refusalFacts(cause), code: 'payment_rate_limited', charged: isFirstTry ? false : null };
  }
  if (error instanceof WrongAnswerError) return { code: 'answer_not_as_paid', charged: null };
  if (error instanceof PaymentRefusedError) {
    const cause = error.cause instanceof MarketplaceError ? refusalFacts(error.cause) : {};
    const code = error.charged === false ? error.reason : 'payment_used';
    return { ...cause, code, charged: error.charged };
  }
  // Before a payment was signed: nothing can have been charged.
  if (error instanceof MarketplaceError) {
    const facts = refusalFacts(error);
    return { ...facts, code: error.status === 0 ? 'terms_not_read' : facts.code, charged: false };
  }
  return { code: 'wallet_failed' };
}
