import { describe, expect, it } from 'vitest';
import type { TestCardKind } from '../payments/fake-card-books.ts';
import { type CardProcessorUnderTest, cardTest, DAY_MS, refuses } from './card-processor.harness.ts';
import { describeOutside } from './card-processor.outside.ts';

/** What every card processor does, whoever it is. */
export function describeCardProcessor(
  name: string,
  start: () => Promise<CardProcessorUnderTest>,
  { hasOutside }: { hasOutside: boolean },
): void {
  describe(`card processor: ${name}`, () => {
    const test = cardTest(start);

    it('makes one customer under one key, and refuses the key for another', async () => {
      const once = test.key();
      const customer = { agentId: test.key(), email: null };
      const made = await test.processor.createCustomer(once, customer);
      expect(await test.processor.createCustomer(once, customer)).toEqual(made);
      await refuses(test.processor.createCustomer(once, { ...customer, agentId: 'another' }));
    });

    it('opens a checkout, shows it, and closes it once', async () => {
      const once = test.key();
      const request = test.checkout();
      const open = await test.processor.createCheckout(once, request);
      expect(open).toMatchObject({
        status: 'open',
        paymentId: null,
        amountCents: 1250,
        reference: request.reference,
      });
      expect(open.url).toMatch(/^https?:/);
      expect(await test.processor.createCheckout(once, request)).toEqual(open);
      expect(await test.processor.getCheckout(open.sessionId)).toEqual(open);
      const closed = { ...open, status: 'expired', url: null };
      expect(await test.processor.expireCheckout(test.key(), open.sessionId)).toEqual(closed);
      expect(await test.processor.expireCheckout(test.key(), open.sessionId)).toEqual(closed);
      expect(await test.processor.getCheckout(open.sessionId)).toEqual(closed);
    });

    it('takes the customer of a checkout', async () => {
      const customerId = await test.newCustomer();
      const open = await test.processor.createCheckout(test.key(), test.checkout({ customerId }));
      expect(open.status).toBe('open');
    });

    it('refuses amounts outside its limits, and pages that are open too long or too short', async () => {
      const { minCents, maxCents } = test.processor.chargeLimits;
      await refuses(test.processor.createCheckout(test.key(), test.checkout({ amountCents: minCents - 1 })));
      await refuses(test.processor.createCheckout(test.key(), test.checkout({ amountCents: maxCents + 1 })));
      await refuses(
        test.processor.createCheckout(test.key(), test.checkout({ expiresAtMs: test.now() + 60_000 })),
      );
      await refuses(
        test.processor.createCheckout(test.key(), test.checkout({ expiresAtMs: test.now() + 2 * DAY_MS })),
      );
      await refuses(
        test.processor.chargeSaved(test.key(), await test.savedCharge('good', 'manual', minCents - 1)),
      );
      const least = await test.processor.createCheckout(test.key(), test.checkout({ amountCents: minCents }));
      expect(least.amountCents).toBe(minCents);
    });

    it('knows nothing of ids that it did not give', async () => {
      await refuses(test.processor.getCheckout('cs_test_none'));
      await refuses(test.processor.expireCheckout(test.key(), 'cs_test_none'));
      await refuses(test.processor.getSetup('cs_test_none'));
      await refuses(test.processor.getPayment('pi_none'));
      await refuses(test.processor.capture(test.key(), 'pi_none'));
      await refuses(test.processor.cancel(test.key(), 'pi_none'));
      await refuses(test.processor.refund(test.key(), { paymentId: 'pi_none', amountCents: 100 }));
      await refuses(test.processor.getTransfer('tr_none'));
    });

    it('has no card of a setup that nobody completed', async () => {
      const setup = await test.processor.createSetup(test.key(), {
        customerId: await test.newCustomer(),
        agentId: test.key(),
        returnUrl: 'https://market.example/saved',
      });
      expect(setup.url).toMatch(/^https?:/);
      expect(await test.processor.getSetup(setup.sessionId)).toBeNull();
    });

    it('charges a saved card once under one key', async () => {
      const once = test.key();
      const charge = await test.savedCharge('good', 'automatic');
      const outcome = await test.processor.chargeSaved(once, charge);
      expect(await test.processor.chargeSaved(once, charge)).toEqual(outcome);
      if (outcome.kind !== 'succeeded') throw new Error(outcome.kind);
      const payment = await test.processor.getPayment(outcome.paymentId);
      expect(payment).toMatchObject({
        status: 'captured',
        amountCents: 1250,
        capturedCents: 1250,
        refundedCents: 0,
        reference: charge.reference,
      });
      expect(payment.chargeId).toBeTruthy();
    });

    it('says why a saved card was not charged', async () => {
      const outcomes = async (kind: TestCardKind) => {
        const once = test.key();
        const charge = await test.savedCharge(kind, 'manual');
        return [
          await test.processor.chargeSaved(once, charge),
          await test.processor.chargeSaved(once, charge),
        ];
      };
      const declined = { kind: 'declined', code: 'generic_decline' };
      expect(await outcomes('declined_when_charged')).toEqual([declined, declined]);
      const asked = { kind: 'authentication_required' };
      expect(await outcomes('asks_holder')).toEqual([asked, asked]);
      const gone = { ...(await test.savedCharge('good', 'manual')), paymentMethodId: 'pm_none' };
      expect(await test.processor.chargeSaved(test.key(), gone)).toMatchObject({ kind: 'declined' });
    });

    it('captures reserved money once, and says so as often as it is asked', async () => {
      const { paymentId } = await test.paid('manual');
      expect(await test.processor.getPayment(paymentId)).toMatchObject({
        status: 'authorized',
        capturedCents: 0,
      });
      const once = test.key();
      const captured = await test.processor.capture(once, paymentId);
      expect(await test.processor.capture(once, paymentId)).toEqual(captured);
      expect(await test.processor.capture(test.key(), paymentId)).toEqual(captured);
      const payment = await test.processor.getPayment(paymentId);
      expect(payment).toMatchObject({ status: 'captured', capturedCents: 1250 });
      expect(captured).toEqual({
        kind: 'captured',
        chargeId: payment.chargeId,
        capturedCents: 1250,
        refundedCents: 0,
        isDisputed: false,
      });
    });

    it('gives reserved money back, after which there is nothing to capture', async () => {
      const { paymentId } = await test.paid('manual');
      await test.processor.cancel(test.key(), paymentId);
      await test.processor.cancel(test.key(), paymentId);
      expect(await test.processor.capture(test.key(), paymentId)).toEqual({ kind: 'expired' });
      expect(await test.processor.getPayment(paymentId)).toMatchObject({
        status: 'canceled',
        capturedCents: 0,
        refundedCents: 0,
      });
    });

    it('does not cancel what was captured', async () => {
      const { paymentId } = await test.paid('automatic');
      await refuses(test.processor.cancel(test.key(), paymentId));
      expect(await test.processor.getPayment(paymentId)).toMatchObject({ status: 'captured' });
    });

    it('refunds in parts, never more than was taken, and once under one key', async () => {
      const { paymentId } = await test.paid('automatic');
      const once = test.key();
      const refund = await test.processor.refund(once, { paymentId, amountCents: 250 });
      expect(await test.processor.refund(once, { paymentId, amountCents: 250 })).toEqual(refund);
      await refuses(test.processor.refund(test.key(), { paymentId, amountCents: 1001 }));
      await test.processor.refund(test.key(), { paymentId, amountCents: 1000 });
      await refuses(test.processor.refund(test.key(), { paymentId, amountCents: 1 }));
      expect(await test.processor.getPayment(paymentId)).toMatchObject({
        capturedCents: 1250,
        refundedCents: 1250,
      });
    });

    it('does not refund what was only reserved', async () => {
      const { paymentId } = await test.paid('manual');
      await refuses(test.processor.refund(test.key(), { paymentId, amountCents: 100 }));
    });

    it('opens accounts where it serves, which cannot be paid before somebody onboarded', async () => {
      expect(test.processor.servesCountry('US')).toBe(true);
      expect(test.processor.servesCountry('NG')).toBe(false);
      expect(test.processor.servesCountry('us')).toBe(false);
      await refuses(
        test.processor.createAccount(test.key(), { sellerId: test.key(), country: 'XX', email: null }),
      );
      const once = test.key();
      const seller = { sellerId: test.key(), country: 'US', email: 'seller@example.com' };
      const { accountId } = await test.processor.createAccount(once, seller);
      expect(await test.processor.createAccount(once, seller)).toEqual({ accountId });
      expect(await test.processor.getAccount(accountId)).toEqual({
        accountId,
        payoutsEnabled: false,
        detailsSubmitted: false,
      });
      const transfer = { accountId, amountCents: 100, purchaseId: test.key(), sourceChargeId: null };
      expect(await test.processor.transfer(test.key(), transfer)).toEqual({
        kind: 'refused',
        code: 'insufficient_capabilities_for_transfer',
      });
      expect(
        await test.processor.transfer(test.key(), { ...transfer, accountId: 'acct_none' }),
      ).toMatchObject({
        kind: 'refused',
      });
    });

    it('tells the balance in whole cents', async () => {
      const { availableCents, pendingCents } = await test.processor.getBalance();
      expect([availableCents, pendingCents].every(Number.isSafeInteger)).toBe(true);
    });

    if (hasOutside) describeOutside(test);
  });
}
