import { expect, it } from 'vitest';
import type { SettlementOutcome, SignedTransfer, TransferAuthorization } from '../../kernel/ports/chain.ts';
import { type ChainUnderTest, newAccount, newNonce, ONE_DOLLAR } from './chain.harness.ts';

/** A settlement that does not come is waited for no longer than this. */
const SHORT_MS = 1500;

interface Given {
  readonly under: ChainUnderTest;
  signed(rest?: Partial<TransferAuthorization>): Promise<SignedTransfer>;
  settle(transfer: SignedTransfer, timeoutMs?: number): Promise<SettlementOutcome>;
}

/** What every chain does while blocks do not come, come late, or are taken back. */
export function describeChainFaults(given: () => Given): void {
  it('knows no outcome while nothing is mined, and the right one afterwards', async () => {
    const { under, signed, settle } = given();
    const payment = await signed();
    const before = await under.balanceOf(under.chain.payTo);
    await under.stopMining();
    const outcome = await settle(payment, SHORT_MS);
    expect(outcome).toEqual({ kind: 'pending', transaction: expect.stringMatching(/^0x/) });
    expect(await under.chain.find(payment.authorization)).toEqual(outcome);
    expect(await settle(payment, SHORT_MS)).toEqual(outcome);
    await under.mine();
    expect(await under.chain.find(payment.authorization)).toEqual({ ...outcome, kind: 'settled' });
    await under.startMining();
    expect((await under.balanceOf(under.chain.payTo)) - before).toBe(ONE_DOLLAR);
  });

  it('says that an unused authorisation has expired by the time of the chain', async () => {
    const { under, signed } = given();
    const payment = await signed();
    await under.passTime(120);
    expect(await under.chain.find(payment.authorization)).toEqual({ kind: 'unused', isExpired: true });
    expect(await under.chain.check(payment)).toEqual({
      kind: 'invalid',
      fault: 'invalid_exact_evm_payload_authorization_valid_before',
    });
  });

  it('takes no transfer for settled that a reorganisation took back', async () => {
    const { under, signed, settle } = given();
    const payment = await signed();
    expect(await settle(payment)).toMatchObject({ kind: 'settled' });
    await under.dropLastBlock();
    expect(await under.chain.find(payment.authorization)).not.toMatchObject({ kind: 'settled' });
    expect(await settle(payment)).toMatchObject({ kind: 'settled' });
    expect(await under.chain.find(payment.authorization)).toMatchObject({ kind: 'settled' });
  });

  it('pays once although the payment is mined late', async () => {
    const { under } = given();
    await under.fund(under.payer, ONE_DOLLAR);
    const transfer = { reference: newNonce(), to: newAccount().address, units: ONE_DOLLAR };
    await under.stopMining();
    expect(await under.chain.pay(transfer)).toMatchObject({ kind: 'pending' });
    expect(await under.chain.pay(transfer)).toMatchObject({ kind: 'pending' });
    await under.mine();
    await under.startMining();
    expect(await under.chain.pay(transfer)).toMatchObject({ kind: 'paid' });
    expect(await under.balanceOf(transfer.to)).toBe(ONE_DOLLAR);
  });
}
