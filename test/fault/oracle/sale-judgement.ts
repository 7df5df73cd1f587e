// What one sale must look like to everybody outside, from what its payment, its transfers and its bank did.

/** A purchase as the marketplace publishes it to its buyer. */
export interface PublishedPurchase {
  readonly id: string;
  readonly sellerId: string;
  readonly status: string;
  readonly rail: string;
  readonly amountCents: number;
  readonly platformFeeCents: number;
  readonly feeScheduleVersion: number;
  readonly receipt: { readonly statement: { readonly amountCents?: unknown } } | null;
}

/** What moved for it at the processor, the bank of the tests or the chain. */
export interface MoneySeen {
  /** Taken from the buyer, and what came back to it from the platform. */
  readonly chargedCents: number;
  readonly refundedCents: number;
  /** What its bank took, and has. */
  readonly withdrawnCents: number;
  /** What came back of all that was refunded and withdrawn. */
  readonly wonCents: number;
  /** The part of what was refunded and withdrawn that was on its way before the seller was paid. */
  readonly withdrawnBeforePayoutCents: number;
  /** Of that, what was taken so late that the payout may have been under way, which then goes out in full. */
  readonly withdrawnUnderWayCents: number;
  /** What its bank took once the seller was paid, and what it gave back of that. */
  readonly lostAfterPayoutCents: number;
  readonly wonAfterPayoutCents: number;
  /** What the marketplace itself took back of what its seller was sent. */
  readonly takenBackCents: number;
  /** Reserved on a card, and neither taken nor let go. */
  readonly isReserved: boolean;
  /** Each payout to the seller. */
  readonly payouts: readonly number[];
}

/** What moved at one place, and what moved at another. */
export const addMoney = (one: MoneySeen, other: Partial<MoneySeen>): MoneySeen => ({
  chargedCents: one.chargedCents + (other.chargedCents ?? 0),
  refundedCents: one.refundedCents + (other.refundedCents ?? 0),
  withdrawnCents: one.withdrawnCents + (other.withdrawnCents ?? 0),
  wonCents: one.wonCents + (other.wonCents ?? 0),
  withdrawnBeforePayoutCents: one.withdrawnBeforePayoutCents + (other.withdrawnBeforePayoutCents ?? 0),
  withdrawnUnderWayCents: one.withdrawnUnderWayCents + (other.withdrawnUnderWayCents ?? 0),
  lostAfterPayoutCents: one.lostAfterPayoutCents + (other.lostAfterPayoutCents ?? 0),
  wonAfterPayoutCents: one.wonAfterPayoutCents + (other.wonAfterPayoutCents ?? 0),
  takenBackCents: one.takenBackCents + (other.takenBackCents ?? 0),
  isReserved: one.isReserved || other.isReserved === true,
  payouts: [...one.payouts, ...(other.payouts ?? [])],
});

export const STANDING = new Set(['held', 'releasing', 'released']);
const ENDED = new Set(['refunded', 'failed', 'expired']);
/** Amounts of banks drift with currencies. */
const DRIFT = 0.05;

export interface SaleExpectation {
  readonly feeCents: number;
  /** Banks may have taken what a wallet was filled with, and with it a part of what it paid for. */
  readonly clawbackCents: number;
  readonly wasShown: boolean;
  /** What banks took of the seller's other sales after it was paid for them: it may be withheld of this one. */
  readonly claimedCents?: number;
  /** What banks gave back of that: it may come with this one. */
  readonly givenBackCents?: number;
  /** Together with others of its seller: what that has in all is judged on chain. */
  readonly isPaidOnChain?: boolean;
}

/** What is wrong with a sale that nothing more is going to happen to; empty: nothing. */
export function judgeSale(sale: PublishedPurchase, money: MoneySeen, expected: SaleExpectation): string[] {
  const { status, rail, amountCents: price } = sale;
  const { feeCents: fee, clawbackCents, wasShown, claimedCents = 0, givenBackCents = 0 } = expected;
  const faults: string[] = [];
  const require = (isRight: boolean, fault: string) => {
    if (!isRight) faults.push(`${rail} purchase ${sale.id}, ${status}, ${price}: ${fault}`);
  };
  const isStanding = STANDING.has(status);
  require(isStanding || ENDED.has(status), 'it is not over');
  require(sale.platformFeeCents ===
    fee, `its fee is ${sale.platformFeeCents}, published rates make it ${fee}`);
  require(!money.isReserved, 'money is still reserved on the card');
  require(!isStanding || sale.receipt !== null, 'it is paid and has no receipt');
  if (sale.receipt) require(sale.receipt.statement.amountCents === price, 'its receipt says another price');

  const left = money.chargedCents - money.refundedCents - money.withdrawnCents;
  const isOutside = rail !== 'wallet' && rail !== 'free';
  if (!isOutside) require(money.chargedCents === 0, 'a card was charged for what a wallet pays');
  else if (isStanding) {
    require(money.chargedCents === price, `the buyer was charged ${money.chargedCents}`);
    const isMoved = money.withdrawnCents + money.refundedCents > 0;
    require(isMoved || left === price, `the platform has ${left} of it`);
  } else {
    // By hand a part may have been taken, which goes back like the whole.
    require(money.chargedCents >= 0 &&
      money.chargedCents <= price, `the buyer was charged ${money.chargedCents}`);
    const drift = money.withdrawnCents > 0 ? Math.round(price * DRIFT) : 0;
    // Several disputes may come to more than the price: what banks alone took too much nobody here could keep.
    const isTooMuchByBanks = left < 0 && money.refundedCents === 0;
    require(Math.abs(left) <= drift ||
      isTooMuchByBanks, `the buyer got no sale, and the platform has ${left} of its money`);
  }
  if (wasShown && isOutside && price > 0)
    require(money.chargedCents === price, `content was shown for ${money.chargedCents}`);

  const shareOf = (taken: number) =>
    Math.floor((Math.min(taken, price) * (price - fee)) / Math.max(price, 1));
  const share = shareOf(money.lostAfterPayoutCents);
  require(money.takenBackCents <=
    share, `${money.takenBackCents} were taken back from its seller, who bears ${share}`);
  const sent = money.payouts.reduce((sum, cents) => sum + cents, 0);
  require(money.payouts.length <= 1, `its seller was paid ${money.payouts.length} times`);
  if (status !== 'released') require(sent === 0, `its seller was paid ${sent}`);
  else if (!expected.isPaidOnChain) {
    const net = price - fee;
    const { withdrawnBeforePayoutCents: before, withdrawnUnderWayCents: underWay } = money;
    const owedAfter = (taken: number) =>
      net - Math.floor((Math.min(taken, price) * net) / Math.max(price, 1));
    // What came back in the end, because the bank decided so, may be the seller's.
    const lost = money.withdrawnCents + money.refundedCents;
    const most = owedAfter(Math.min(before - underWay, lost)) + givenBackCents;
    const least = Math.max(0, owedAfter(before) - clawbackCents - claimedCents);
    require(sent >= least && sent <= most, `its seller was paid ${sent}, and is owed ${least} to ${most}`);
  }
  return faults;
}
