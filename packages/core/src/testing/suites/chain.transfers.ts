import type { Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
import { expect, it } from 'vitest';
import type { AccountTransfer, SignedTransfer, TransferAuthorization } from '../../kernel/ports/chain.ts';
import { type ChainUnderTest, newAccount, newNonce, ONE_DOLLAR, payUntilKnown } from './chain.harness.ts';

interface Given {
  readonly under: ChainUnderTest;
  signed(rest?: Partial<TransferAuthorization>): Promise<SignedTransfer>;
}

/** What every chain tells of the transfers of the platform's account. */
export function describeAccountTransfers(given: () => Given): void {
  /** The page that ends with the last final block, and all transfers up to it. */
  async function readFrom(block: number) {
    const { chain } = given().under;
    const transfers: AccountTransfer[] = [];
    for (let afterBlock = block; ; ) {
      const page = await chain.listTransfers({ afterBlock });
      if (!page) throw new Error('The chain could not be asked.');
      expect(page.block >= afterBlock).toBe(true);
      transfers.push(...page.transfers);
      if (page.isLast) return { ...page, transfers };
      afterBlock = page.block;
    }
  }

  it('lists what came and what left once it is final, with the balance that follows from it', async () => {
    const { under, signed } = given();
    const { chain } = under;
    await under.finalize();
    const now = await under.now();
    const begin = await chain.listTransfers({ sinceSeconds: now + 1 });
    if (!begin) throw new Error('The chain could not be asked.');
    expect(begin).toMatchObject({ transfers: [], isLast: true });
    const [deposited, other] = [await signed(), await signed({ to: newAccount().address })];
    const transaction = await under.relay(deposited);
    await under.relay(other);
    await under.relay(await signed({ units: 0n }));
    await under.fund(chain.payTo, ONE_DOLLAR);
    const paid = { reference: newNonce(), to: newAccount().address, units: ONE_DOLLAR };
    const payout = await payUntilKnown(chain, paid);
    expect(payout).toMatchObject({ kind: 'paid' });
    await under.finalize();

    const { transfers, block, seconds, units } = await readFrom(begin.block);
    expect(transfers.map(({ to, units }) => [to.toLowerCase(), units])).toEqual([
      [chain.payTo, ONE_DOLLAR],
      [chain.payTo, ONE_DOLLAR],
      [paid.to.toLowerCase(), ONE_DOLLAR],
    ]);
    expect(transfers[0]).toMatchObject({ transaction, from: deposited.authorization.from.toLowerCase() });
    expect(transfers[2]).toMatchObject({ transaction: (payout as { transaction: Hex }).transaction });
    for (const one of transfers) {
      expect(one.block).toBeGreaterThan(begin.block);
      expect(one.block).toBeLessThanOrEqual(block);
      expect(one.seconds).toBeLessThanOrEqual(seconds);
      expect(one.seconds).toBeGreaterThanOrEqual(now);
    }
    expect(units).toBe((begin.units ?? 0n) + ONE_DOLLAR);
    const known = transfers[0]?.block ?? 0;
    expect((await readFrom(known)).transfers.map(({ transaction }) => transaction)).not.toContain(
      transaction,
    );
  });

  it('says nothing of blocks that are not there', async () => {
    const { block } = await readFrom(0);
    expect(await given().under.chain.listTransfers({ afterBlock: block + 100_000 })).toBeNull();
    const empty = await readFrom(block);
    expect([empty.transfers, empty.block]).toEqual([[], block]);
  });

  it('finds where a moment lies', async () => {
    const { under } = given();
    await under.finalize();
    const { block, seconds } = await readFrom(0);
    await under.passTime(3600);
    await under.finalize();
    const before = await under.chain.listTransfers({ sinceSeconds: seconds + 1800 });
    expect(before?.block).toBeGreaterThanOrEqual(block);
    expect(before?.seconds).toBeLessThan(seconds + 1800);
  });
}
