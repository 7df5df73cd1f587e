import type { TransferAuthorization } from '@agent-marketplace/core/kernel/ports/chain.ts';
import type { Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
import { expect, it } from 'vitest';
import { judgeChain } from './chain-judgement.ts';
import { ClientJournal } from './client-journal.ts';

// The oracle of what is on chain finds what it is there for.

const address = (digit: string): Hex => `0x${digit.repeat(40)}`;
const [PLATFORM, SELLER, PAYER, STRANGER] = [address('1'), address('a'), address('b'), address('c')];
const CENT = 10_000n;
const SALE = { purchaseId: 'sale', status: 'released', rail: 'x402', amountCents: 300, platformFeeCents: 15 };

function move(from: Hex, to: Hex, cents: number): TransferAuthorization {
  const nonce: Hex = `0x${'0'.repeat(64)}`;
  return { from, to, units: BigInt(cents) * CENT, validAfter: 0n, validBefore: 1n, nonce };
}
const PAID = move(PAYER, PLATFORM, 300);
const PAID_OUT = move(PLATFORM, SELLER, 285);
const PAID_BACK = move(PLATFORM, PAYER, 300);

function judge(transfers: readonly TransferAuthorization[], sale: Partial<typeof SALE> = {}, byCard = 0) {
  const journal = new ClientJournal();
  journal.keys.set('seller', 'key');
  journal.wallets.set('seller', new Set([SELLER]));
  journal.payments.set('sale', { payer: PAYER, units: 300n * CENT });
  const transfer = {
    key: 'transfer',
    transferId: 'tr',
    purchaseId: 'sale',
    accountId: 'acct',
    amountCents: byCard,
    reversed: false,
    takenBackCents: 0,
    reversedCents: 0,
  };
  return judgeChain({
    journal,
    processor: { transfers: byCard === 0 ? [] : [transfer] },
    bank: () => ({ payouts: [] }),
    chain: { transfers, payTo: PLATFORM },
    ask: async () => ({ sales: [{ ...SALE, ...sale }], nextCursor: null }),
  });
}

it.each<[string, readonly TransferAuthorization[], Partial<typeof SALE>?, number?]>([
  ['a sale that was paid out', [PAID, PAID_OUT]],
  ['one in escrow', [PAID], { status: 'held' }],
  ['one on its way to the seller, before and after it arrived', [PAID], { status: 'releasing' }],
  ['one that was refunded', [PAID, PAID_BACK], { status: 'refunded' }],
  ['one whose seller was paid at the processor', [PAID], {}, 285],
])('is content with %s', async (_name, transfers, sale, byCard) => {
  expect(await judge(transfers, sale, byCard)).toEqual([]);
});

it.each<[string, readonly TransferAuthorization[], Partial<typeof SALE>?, number?]>([
  ['a payout that was never made', [PAID]],
  ['a payout that was made twice', [PAID, PAID_OUT, PAID_OUT]],
  ['a payout that is short', [PAID, move(PLATFORM, SELLER, 284)]],
  ['a payout to somebody else', [PAID, move(PLATFORM, STRANGER, 285)]],
  ['a payout beside the processor', [PAID, PAID_OUT], {}, 285],
  ['a payout of what is in escrow', [PAID, PAID_OUT], { status: 'held' }],
  ['a refund that was never made', [PAID], { status: 'refunded' }],
  ['a refund that was made twice', [PAID, PAID_BACK, PAID_BACK], { status: 'refunded' }],
  ['a refund of what was paid out', [PAID, PAID_OUT, PAID_BACK]],
  ['a payment that was taken twice', [PAID, PAID, PAID_OUT]],
  ['a sale that nobody paid for', [PAID_OUT]],
  ['money of somebody who was sold nothing', [PAID, PAID_OUT, move(STRANGER, PLATFORM, 300)]],
])('finds %s', async (_name, transfers, sale, byCard) => {
  expect(await judge(transfers, sale, byCard)).not.toEqual([]);
});
