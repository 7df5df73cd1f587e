import { beforeAll, describe, expect, it } from 'vitest';
import type { SignedTransfer, TransferAuthorization } from '../../kernel/ports/chain.ts';
import {
  type ChainUnderTest,
  NO_WIRE,
  newAccount,
  newNonce,
  ONE_DOLLAR,
  payUntilKnown,
  signTransfer,
} from './chain.harness.ts';
import { describeChainFaults } from './chain.outside.ts';
import { describeAccountTransfers } from './chain.transfers.ts';

const WAIT_MS = 5000;

/** What every chain does, in memory or real. */
export function describeChain(name: string, start: () => Promise<ChainUnderTest>): void {
  describe(`chain: ${name}`, () => {
    let under: ChainUnderTest;
    beforeAll(async () => {
      under = await start();
    });

    /** A dollar to the platform, signed by an account that has two. */
    async function signed(rest: Partial<TransferAuthorization> = {}) {
      const account = newAccount();
      await under.fund(account.address, 2n * ONE_DOLLAR);
      const now = await under.now();
      const authorization: TransferAuthorization = {
        from: account.address,
        to: under.chain.payTo,
        units: ONE_DOLLAR,
        validAfter: BigInt(now - 600),
        validBefore: BigInt(now + 60),
        nonce: newNonce(),
        ...rest,
      };
      return { account, ...(await signTransfer(account, under.chain.token, authorization)) };
    }

    const settle = (transfer: SignedTransfer, timeoutMs = WAIT_MS) =>
      under.chain.settle(transfer, NO_WIRE, timeoutMs);

    /** Asks again under the same reference, as `pay` tells its callers to, while the outcome is not known. */

    it('settles a good transfer once, however often it is asked', async () => {
      const payment = await signed();
      const before = await under.balanceOf(under.chain.payTo);
      expect(await under.chain.check(payment)).toEqual({ kind: 'valid', hasCode: false });
      expect(await under.chain.find(payment.authorization)).toEqual({ kind: 'unused', isExpired: false });
      const outcome = await settle(payment);
      expect(outcome).toEqual({ kind: 'settled', transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/) });
      expect(await settle(payment)).toEqual(outcome);
      expect(await under.chain.find(payment.authorization)).toEqual(outcome);
      expect(await under.chain.check(payment)).toEqual({ kind: 'nonce_used' });
      expect((await under.balanceOf(under.chain.payTo)) - before).toBe(ONE_DOLLAR);
      expect(await under.chain.balance()).toBe(await under.balanceOf(under.chain.payTo));
    });

    it('settles one payment once for many who ask at the same time', async () => {
      const payment = await signed();
      const before = await under.balanceOf(under.chain.payTo);
      const outcomes = await Promise.all(Array.from({ length: 8 }, () => settle(payment)));
      expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome))).size).toBe(1);
      expect(outcomes[0]?.kind).toBe('settled');
      expect((await under.balanceOf(under.chain.payTo)) - before).toBe(ONE_DOLLAR);
    });

    it('settles different payments at the same time', async () => {
      const payments = await Promise.all(Array.from({ length: 5 }, () => signed()));
      const outcomes = await Promise.all(payments.map((payment) => settle(payment)));
      expect(outcomes.map(({ kind }) => kind)).toEqual(payments.map(() => 'settled'));
    });

    it('says what is wrong with a payment', async () => {
      const good = await signed();
      const poor = await signed({ units: 3n * ONE_DOLLAR });
      const forged = { ...good, authorization: { ...good.authorization, units: ONE_DOLLAR + 1n } };
      const foreign = {
        ...good,
        signature: (await signTransfer(newAccount(), under.chain.token, good.authorization)).signature,
      };
      const early = await signed({ validAfter: BigInt((await under.now()) + 1000) });
      const late = await signed({ validBefore: BigInt((await under.now()) - 10) });
      const cases = [
        [poor, 'insufficient_funds'],
        [forged, 'invalid_exact_evm_payload_signature'],
        [foreign, 'invalid_exact_evm_payload_signature'],
        [{ ...good, signature: '0x12' as const }, 'invalid_exact_evm_payload_signature'],
        [early, 'invalid_exact_evm_payload_authorization_valid_after'],
        [late, 'invalid_exact_evm_payload_authorization_valid_before'],
      ] as const;
      for (const [payment, fault] of cases) {
        expect(await under.chain.check(payment)).toEqual({ kind: 'invalid', fault });
        expect(await settle(payment)).toEqual({ kind: 'rejected', fault });
      }
      expect(await under.chain.check(good)).toEqual({ kind: 'valid', hasCode: false });
    });

    it('finds a transfer that the payer brought to the chain, and takes it as settled', async () => {
      const payment = await signed();
      const transaction = await under.relay(payment);
      expect(await under.chain.find(payment.authorization)).toEqual({ kind: 'settled', transaction });
      expect(await settle(payment)).toEqual({ kind: 'settled', transaction });
    });

    it('takes a nonce that another transfer used for no payment', async () => {
      const payment = await signed();
      const elsewhere = { ...payment.authorization, to: newAccount().address };
      await under.relay(await signTransfer(payment.account, under.chain.token, elsewhere));
      expect(await under.chain.check(payment)).toEqual({ kind: 'nonce_used' });
      expect(await under.chain.find(payment.authorization)).toEqual({ kind: 'void' });
      expect(await settle(payment)).toEqual({ kind: 'rejected', fault: 'invalid_transaction_state' });
      const less = { ...payment.authorization, units: 1n };
      expect(await under.chain.find(less)).toEqual({ kind: 'void' });
    });

    it('takes a cancelled nonce for no payment', async () => {
      const payment = await signed();
      await under.cancel(payment.account, payment.authorization.nonce);
      expect(await under.chain.check(payment)).toEqual({ kind: 'nonce_used' });
      expect(await under.chain.find(payment.authorization)).toEqual({ kind: 'void' });
      expect(await settle(payment)).toEqual({ kind: 'rejected', fault: 'invalid_transaction_state' });
    });

    it('pays once under one reference', async () => {
      await under.fund(under.payer, 10n * ONE_DOLLAR);
      const to = newAccount().address;
      const transfer = { reference: newNonce(), to, units: ONE_DOLLAR };
      const outcome = await payUntilKnown(under.chain, transfer);
      expect(outcome).toEqual({ kind: 'paid', transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/) });
      const again = await Promise.all([1, 2, 3].map(() => under.chain.pay(transfer)));
      expect(again).toEqual([outcome, outcome, outcome]);
      expect(await under.balanceOf(to)).toBe(ONE_DOLLAR);
      expect(await payUntilKnown(under.chain, { ...transfer, reference: newNonce() })).toMatchObject({
        kind: 'paid',
      });
      expect(await under.balanceOf(to)).toBe(2n * ONE_DOLLAR);
    });

    it('never pays twice under one reference, not even on other terms', async () => {
      await under.fund(under.payer, 10n * ONE_DOLLAR);
      const to = newAccount().address;
      const transfer = { reference: newNonce(), to, units: ONE_DOLLAR };
      expect(await payUntilKnown(under.chain, transfer)).toMatchObject({ kind: 'paid' });
      const other = { ...transfer, units: ONE_DOLLAR + 1n };
      expect(await under.chain.pay(other)).toEqual({ kind: 'unavailable' });
      expect(await under.balanceOf(to)).toBe(ONE_DOLLAR);
    });

    it('does not pay more than there is, nor to nobody', async () => {
      const units = (await under.balanceOf(under.payer)) + 1n;
      const reference = newNonce();
      const to = newAccount().address;
      expect(await under.chain.pay({ reference, to, units })).toEqual({
        kind: 'refused',
        reason: 'insufficient_funds',
      });
      await under.fund(under.payer, ONE_DOLLAR);
      expect(await payUntilKnown(under.chain, { reference, to, units })).toMatchObject({ kind: 'paid' });
      const nobody = '0x0000000000000000000000000000000000000000' as const;
      expect(await under.chain.pay({ reference: newNonce(), to: nobody, units: 0n })).toEqual({
        kind: 'refused',
        reason: 'recipient_refused',
      });
    });

    it('knows whose signature a text bears', async () => {
      const account = newAccount();
      const text = 'market.example wants you to sign in.\n\nNonce: 1';
      const signature = await account.signMessage({ message: text });
      expect(await under.chain.hasSigned(account.address, text, signature)).toBe(true);
      expect(await under.chain.hasSigned(account.address, `${text}2`, signature)).toBe(false);
      expect(await under.chain.hasSigned(newAccount().address, text, signature)).toBe(false);
      expect(await under.chain.hasSigned(account.address, text, '0x')).toBe(false);
      expect(await under.chain.hasSigned(account.address, text, `0x${'6492'.repeat(16)}`)).toBe(false);
    });

    describe('smart wallets', () => {
      async function walletPayment(options: { isDeployed: boolean; isAllowed: boolean }) {
        const owner = newAccount();
        const wallet = await under.newWallet(owner.address, options);
        await under.fund(wallet.address, ONE_DOLLAR);
        const { authorization } = await signed({ from: wallet.address });
        const { signature } = await signTransfer(owner, under.chain.token, authorization);
        return { owner, wallet, authorization, signature: wallet.wrap(signature) };
      }

      it.each([
        ['deployed (ERC-1271)', { isDeployed: true, isAllowed: false }],
        ['yet to be deployed by a known factory (ERC-6492)', { isDeployed: false, isAllowed: true }],
      ])('takes payments of one %s', async (_title, options) => {
        const payment = await walletPayment(options);
        expect(await under.chain.check(payment)).toEqual({ kind: 'valid', hasCode: options.isDeployed });
        expect(await settle(payment)).toMatchObject({ kind: 'settled' });
        expect(await under.balanceOf(payment.wallet.address)).toBe(0n);
      });

      it('refuses one that an unknown factory would deploy', async () => {
        const payment = await walletPayment({ isDeployed: false, isAllowed: false });
        const fault = 'invalid_exact_evm_payload_signature';
        expect(await under.chain.check(payment)).toEqual({ kind: 'invalid', fault });
        expect(await settle(payment)).toEqual({ kind: 'rejected', fault });
      });

      it('refuses a signature of somebody who does not own the wallet', async () => {
        const payment = await walletPayment({ isDeployed: true, isAllowed: true });
        const { signature } = await signTransfer(newAccount(), under.chain.token, payment.authorization);
        expect(await under.chain.check({ ...payment, signature })).toEqual({
          kind: 'invalid',
          fault: 'invalid_exact_evm_payload_signature',
        });
      });

      it.each([
        [{ isDeployed: true, isAllowed: false }, true],
        [{ isDeployed: false, isAllowed: true }, true],
        [{ isDeployed: false, isAllowed: false }, false],
      ])('knows its signature of a text: %j', async (options, isTaken) => {
        const owner = newAccount();
        const wallet = await under.newWallet(owner.address, options);
        const signature = wallet.wrap(await owner.signMessage({ message: 'text' }));
        expect(await under.chain.hasSigned(wallet.address, 'text', signature)).toBe(isTaken);
        expect(await under.chain.hasSigned(wallet.address, 'another', signature)).toBe(false);
      });
    });

    describeChainFaults(() => ({ under, signed, settle }));

    describeAccountTransfers(() => ({ under, signed }));
  });
}
