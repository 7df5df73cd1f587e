import { describe, expect, it } from 'vitest';
import type { BalanceEntry, CardEvent, CardEventPage } from '../../kernel/ports/card-processor.ts';
import { type CardTest, DAY_MS, HOUR_MS, refuses } from './card-processor.harness.ts';

/** The part of the shared suite in which people fill in hosted pages and time passes. */
export function describeOutside(test: CardTest): void {
  describe('with people and time', () => {
    const newSeller = async (outcome: 'complete' | 'pending' = 'complete') => {
      const seller = { sellerId: test.key(), country: 'DE', email: null };
      const { accountId } = await test.processor.createAccount(test.key(), seller);
      await test.outside.onboard({ accountId, url: (await onboarding(accountId))?.url ?? '' }, outcome);
      return accountId;
    };
    const onboarding = (accountId: string) =>
      test.processor.createOnboardingLink(test.key(), {
        accountId,
        returnUrl: 'https://market.example/back',
        refreshUrl: 'https://market.example/again',
      });
    const events = async (): Promise<CardEvent['about'][]> => {
      const sent = await test.outside.takeWebhooks();
      const read = await Promise.all(
        sent.map(({ rawBody, signatureHeader }) =>
          test.processor.readWebhook(rawBody, signatureHeader, test.now()),
        ),
      );
      return read.flatMap((event) => (typeof event === 'string' ? [] : event.about));
    };

    it('reserves the money of a checkout, and takes it with the capture', async () => {
      const request = test.checkout();
      const open = await test.processor.createCheckout(test.key(), request);
      expect(await test.outside.pay(open, 'declined')).toBe(false);
      expect(await test.processor.getCheckout(open.sessionId)).toEqual(open);
      await events();
      expect(await test.outside.pay(open, 'asks_holder')).toBe(true);
      const { paymentId, ...session } = await test.processor.getCheckout(open.sessionId);
      expect(session).toMatchObject({ status: 'complete', url: null, amountCents: 1250 });
      const payment = await test.processor.getPayment(paymentId ?? '');
      expect(payment).toMatchObject({ status: 'authorized', reference: request.reference });
      const told = await events();
      expect(told).toContainEqual({ kind: 'checkout', sessionId: open.sessionId });
      expect(told).toContainEqual({ kind: 'payment', paymentId });
      expect(await test.processor.capture(test.key(), paymentId ?? '')).toMatchObject({ kind: 'captured' });
      expect(await events()).toContainEqual({ kind: 'payment', paymentId });
    });

    it('lists what it reported within a time, page by page, whether that came or not', async () => {
      const sinceMs = test.now() - 1000;
      const paid = [];
      for (let n = 0; n < 4; n += 1) paid.push(await test.paid('automatic'));
      const untilMs = test.now() + 1000;
      const found: CardEvent[] = [];
      let after: string | null = null;
      do {
        const page: CardEventPage = await test.processor.listEvents({ sinceMs, untilMs, after });
        found.push(...page.events);
        after = page.next;
      } while (after !== null);
      for (const { paymentId } of paid)
        expect(found.map(({ about }) => about)).toContainEqual({ kind: 'payment', paymentId });
      expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
      for (const { createdAtMs } of found) expect(createdAtMs).toBeGreaterThanOrEqual(sinceMs - 1000);
      const later = { sinceMs: untilMs + HOUR_MS, untilMs: untilMs + DAY_MS, after: null };
      expect(await test.processor.listEvents(later)).toEqual({ events: [], next: null });
    });

    it('takes the money of an automatic checkout, which can then not be closed or paid again', async () => {
      const open = await test.processor.createCheckout(test.key(), test.checkout({ capture: 'automatic' }));
      expect(await test.outside.pay(open, 'good')).toBe(true);
      const session = await test.processor.getCheckout(open.sessionId);
      expect(await test.processor.getPayment(session.paymentId ?? '')).toMatchObject({ status: 'captured' });
      expect(await test.processor.expireCheckout(test.key(), open.sessionId)).toEqual(session);
      expect(await test.outside.pay(open, 'good')).toBe(false);
    });

    it('closes a checkout that nobody paid in time', async () => {
      const open = await test.processor.createCheckout(test.key(), test.checkout());
      await events();
      test.outside.advance(HOUR_MS + 1000);
      expect(await test.processor.getCheckout(open.sessionId)).toMatchObject({
        status: 'expired',
        url: null,
      });
      expect(await events()).toContainEqual({ kind: 'checkout', sessionId: open.sessionId });
      expect(await test.outside.pay(open, 'good')).toBe(false);
    });

    it('loses reserved money that is captured too late', async () => {
      const { paymentId } = await test.paid('manual');
      const reserved = await test.processor.getPayment(paymentId);
      // Its holder is not there: shorter than the seven days of a page.
      const hours = ((reserved.captureBeforeMs ?? 0) - test.now()) / HOUR_MS;
      expect(Math.round(hours)).toBe(4 * 24 + 18);
      test.outside.advance(4 * DAY_MS);
      expect(await test.processor.getPayment(paymentId)).toMatchObject({ status: 'authorized' });
      test.outside.advance(DAY_MS);
      expect(await test.processor.capture(test.key(), paymentId)).toEqual({ kind: 'expired' });
      expect(await test.processor.getPayment(paymentId)).toMatchObject({
        status: 'canceled',
        capturedCents: 0,
      });
      await test.processor.cancel(test.key(), paymentId);
    });

    it('keeps the card of a completed setup', async () => {
      const agentId = test.key();
      const customerId = await test.newCustomer();
      const setup = await test.processor.createSetup(test.key(), {
        customerId,
        agentId,
        returnUrl: 'https://market.example/saved',
      });
      expect(await test.outside.saveCard(setup, 'declined')).toBe(false);
      expect(await test.processor.getSetup(setup.sessionId)).toBeNull();
      await events();
      expect(await test.outside.saveCard(setup, 'good')).toBe(true);
      const saved = await test.processor.getSetup(setup.sessionId);
      expect(saved).toMatchObject({
        agentId,
        card: { brand: 'visa', last4: '4242', expMonth: 12, expYear: 2034 },
      });
      expect(await events()).toContainEqual({ kind: 'setup', sessionId: setup.sessionId });
      const charge = {
        reference: test.reference(),
        customerId,
        paymentMethodId: saved?.card.paymentMethodId ?? '',
        amountCents: 500,
        description: 'Weather',
        capture: 'automatic' as const,
      };
      expect(await test.processor.chargeSaved(test.key(), charge)).toMatchObject({ kind: 'succeeded' });
      const strangers = { ...charge, customerId: await test.newCustomer() };
      expect(await test.processor.chargeSaved(test.key(), strangers)).toMatchObject({ kind: 'declined' });
    });

    it('pays a seller out of the charge before its money has arrived, once, and not more', async () => {
      const accountId = await newSeller();
      expect(await events()).toContainEqual({ kind: 'account', accountId });
      expect(await test.processor.getAccount(accountId)).toEqual({
        accountId,
        payoutsEnabled: true,
        detailsSubmitted: true,
      });
      const { paymentId, reference: purchase } = await test.paid('automatic');
      const { chargeId } = await test.processor.getPayment(paymentId);
      const once = test.key();
      const transfer = {
        accountId,
        amountCents: 1100,
        purchaseId: purchase.id,
        sourceChargeId: chargeId,
      };
      expect(await test.processor.findTransfer(once, purchase.id)).toBe(null);
      const outcome = await test.processor.transfer(once, transfer);
      expect(await test.processor.transfer(once, transfer)).toEqual(outcome);
      if (outcome.kind !== 'transferred') throw new Error(outcome.code);
      const { transferId } = outcome;
      expect(await test.processor.findTransfer(once, purchase.id)).toEqual({ transferId });
      expect(await test.processor.findTransfer(test.key(), purchase.id)).toBe(null);
      expect(await test.processor.getTransfer(outcome.transferId)).toEqual({
        transferId: outcome.transferId,
        amountCents: 1100,
        reversed: false,
      });
      await refuses(test.processor.transfer(test.key(), { ...transfer, amountCents: 151 }));
    });

    it('refuses to pay where verification is pending', async () => {
      const accountId = await newSeller('pending');
      const account = await test.processor.getAccount(accountId);
      expect(account).toMatchObject({ payoutsEnabled: false, detailsSubmitted: true });
      const transfer = { accountId, amountCents: 100, purchaseId: test.key(), sourceChargeId: null };
      expect(await test.processor.transfer(test.key(), transfer)).toMatchObject({ kind: 'refused' });
    });

    it('pays a seller without a charge only out of what is available', async () => {
      const accountId = await newSeller();
      const { availableCents } = await test.processor.getBalance();
      await test.paid('automatic', 'good', 5000);
      const transfer = {
        accountId,
        amountCents: Math.max(availableCents, 0) + 1,
        purchaseId: test.key(),
        sourceChargeId: null,
      };
      const once = test.key();
      const refusal = { kind: 'refused', code: 'balance_insufficient' };
      expect(await test.processor.transfer(once, transfer)).toEqual(refusal);
      await test.paid('automatic', 'available_at_once', 5000);
      expect(await test.processor.transfer(once, transfer)).toEqual(refusal);
      const { availableCents: before } = await test.processor.getBalance();
      expect(await test.processor.transfer(test.key(), transfer)).toMatchObject({ kind: 'transferred' });
      const { availableCents: after } = await test.processor.getBalance();
      expect(before - after).toBe(transfer.amountCents);
    });

    it('moves money from pending to available', async () => {
      const before = await test.processor.getBalance();
      await test.paid('automatic', 'good', 10_000);
      const paidIn = await test.processor.getBalance();
      expect(paidIn.availableCents).toBe(before.availableCents);
      expect(paidIn.pendingCents).toBeGreaterThan(before.pendingCents + 9000);
      test.outside.advance(2 * DAY_MS);
      const { pendingCents, availableCents } = await test.processor.getBalance();
      expect(pendingCents).toBeLessThan(paidIn.pendingCents);
      expect(availableCents + pendingCents).toBe(paidIn.availableCents + paidIn.pendingCents);
    });

    it.each(['won', 'lost'] as const)('takes a disputed payment back until it is %s', async (outcome) => {
      const { paymentId, reference } = await test.paid('automatic', 'available_at_once', 2500);
      await events();
      const before = await test.processor.getBalance();
      const disputeId = test.outside.dispute(paymentId);
      const open = {
        disputeId,
        paymentId,
        reference,
        amountCents: 2500,
        status: 'open',
        withdrawnCents: 2500,
      };
      expect(await test.processor.getDispute(disputeId)).toEqual(open);
      expect(await events()).toContainEqual({ kind: 'dispute', disputeId });
      // The processor charges for it, whatever becomes of it.
      const { availableCents } = await test.processor.getBalance();
      expect(before.availableCents - availableCents).toBe(2500 + 1500);
      await refuses(test.processor.refund(test.key(), { paymentId, amountCents: 2500 }));
      test.outside.closeDispute(disputeId, outcome);
      expect(await events()).toContainEqual({ kind: 'dispute', disputeId });
      expect(await test.processor.getDispute(disputeId)).toEqual({
        ...open,
        status: outcome,
        withdrawnCents: outcome === 'won' ? 0 : 2500,
      });
      const after = await test.processor.getBalance();
      expect(after.availableCents - availableCents).toBe(outcome === 'won' ? 2500 : 0);
      const refund = test.processor.refund(test.key(), { paymentId, amountCents: 2500 });
      if (outcome === 'won') expect(await refund).toMatchObject({ refundId: expect.any(String) });
      else await refuses(refund);
    });

    it('takes nothing while a bank only asks', async () => {
      const { paymentId } = await test.paid('automatic', 'available_at_once', 2500);
      const before = await test.processor.getBalance();
      const disputeId = test.outside.dispute(paymentId, { inquiry: true });
      const asked = { status: 'open', withdrawnCents: 0 };
      expect(await test.processor.getDispute(disputeId)).toMatchObject(asked);
      test.outside.closeDispute(disputeId, 'won');
      expect(await test.processor.getDispute(disputeId)).toMatchObject({ ...asked, status: 'won' });
      expect(await test.processor.getBalance()).toEqual(before);
    });

    it('knows several disputes of one payment, of amounts that drift, and appeals', async () => {
      const { paymentId } = await test.paid('automatic', 'available_at_once', 2500);
      const half = test.outside.dispute(paymentId, { amountCents: 1250 });
      const drifted = test.outside.dispute(paymentId, { amountCents: 1251 });
      for (const disputeId of [half, drifted]) test.outside.closeDispute(disputeId, 'lost');
      const { disputeIds } = await test.processor.getPayment(paymentId);
      expect(disputeIds.toSorted()).toEqual([half, drifted].toSorted());
      expect(await test.processor.getDispute(drifted)).toMatchObject({
        status: 'lost',
        withdrawnCents: 1251,
      });
      test.outside.dashboard.appealDispute(half);
      expect(await test.processor.getDispute(half)).toMatchObject({ status: 'open', withdrawnCents: 1250 });
      test.outside.closeDispute(half, 'won');
      expect(await test.processor.getDispute(half)).toMatchObject({ status: 'won', withdrawnCents: 0 });
    });

    it('says how a refund stands, which may fail after it was made', async () => {
      const { dashboard } = test.outside;
      const { paymentId } = await test.paid('automatic', 'available_at_once', 2500);
      const before = await test.processor.getBalance();
      const once = test.key();
      const ask = () => test.processor.refund(once, { paymentId, amountCents: 2500 });
      dashboard.setRefundStatus('pending');
      const { refundId, status } = await ask();
      dashboard.setRefundStatus('succeeded');
      expect(status).toBe('pending');
      const seen = () => test.processor.getPayment(paymentId);
      expect(await seen()).toMatchObject({ refundedCents: 0, pendingRefundCents: 2500 });
      await events();
      dashboard.endRefund(refundId, 'succeeded');
      expect(await events()).toContainEqual({ kind: 'payment', paymentId });
      expect(await ask()).toEqual({ refundId, status: 'succeeded' });
      expect(await seen()).toMatchObject({ refundedCents: 2500, pendingRefundCents: 0 });
      dashboard.endRefund(refundId, 'failed');
      expect(await events()).toContainEqual({ kind: 'payment', paymentId });
      expect(await ask()).toEqual({ refundId, status: 'failed' });
      expect(await seen()).toMatchObject({ refundedCents: 0, pendingRefundCents: 0 });
      expect(await test.processor.getBalance()).toEqual(before);
    });

    it('shows what was done in its dashboard, and takes a refund that was made there as made', async () => {
      const { dashboard } = test.outside;
      const refunded = await test.paid('automatic', 'available_at_once', 2500);
      await events();
      const refundId = dashboard.refund(refunded.paymentId, 2500);
      expect(await events()).toContainEqual({ kind: 'payment', paymentId: refunded.paymentId });
      expect(
        await test.processor.refund(test.key(), { paymentId: refunded.paymentId, amountCents: 2500 }),
      ).toEqual({ refundId, status: 'succeeded' });
      const captured = await test.paid('manual');
      dashboard.capture(captured.paymentId);
      expect(await test.processor.capture(test.key(), captured.paymentId)).toMatchObject({
        kind: 'captured',
        refundedCents: 0,
      });
      const { capturedCents } = await test.processor.getPayment(captured.paymentId);
      dashboard.refund(captured.paymentId, capturedCents);
      expect(await test.processor.capture(test.key(), captured.paymentId)).toMatchObject({
        kind: 'captured',
        refundedCents: capturedCents,
        isDisputed: false,
      });
      const disputed = await test.paid('manual');
      dashboard.capture(disputed.paymentId);
      test.outside.dispute(disputed.paymentId);
      expect(await test.processor.capture(test.key(), disputed.paymentId)).toMatchObject({
        kind: 'captured',
        isDisputed: true,
      });
      const canceled = await test.paid('manual');
      dashboard.cancel(canceled.paymentId);
      expect(await test.processor.capture(test.key(), canceled.paymentId)).toEqual({ kind: 'expired' });
    });

    it('lists what moved its balance, newest first and a page at a time, with the fees', async () => {
      const { dashboard } = test.outside;
      test.outside.advance(HOUR_MS);
      const sinceMs = test.now();
      const before = await test.processor.getBalance();
      const accountId = await newSeller();
      const { paymentId } = await test.paid('automatic', 'available_at_once', 4000);
      const { chargeId } = await test.processor.getPayment(paymentId);
      const disputed = await test.paid('automatic', 'available_at_once', 2500);
      const disputeId = test.outside.dispute(disputed.paymentId, { amountCents: 2000 });
      test.outside.closeDispute(disputeId, 'won');
      const sent = await test.processor.transfer(test.key(), {
        accountId,
        amountCents: 1000,
        purchaseId: test.key(),
        sourceChargeId: null,
      });
      if (sent.kind !== 'transferred') throw new Error(sent.code);
      dashboard.reverseTransfer(sent.transferId, 400);
      const refund = await test.processor.refund(test.key(), { paymentId, amountCents: 300 });
      dashboard.payOut(700);
      dashboard.fund(200);
      dashboard.chargeFee(45);
      dashboard.adjust(-7);
      const entries: BalanceEntry[] = [];
      for (let after: string | null = null; ; ) {
        const page = await test.processor.listBalanceEntries({ sinceMs, after });
        entries.push(...page.entries);
        after = page.next;
        if (after === null) break;
      }
      const nothing = { paymentId: null, transferId: null, feeCents: 0, currency: 'usd' };
      const { transferId } = sent;
      const anyId = expect.any(String);
      expect(entries.toReversed()).toMatchObject([
        { ...nothing, kind: 'payment', objectId: chargeId, paymentId, amountCents: 4000, feeCents: 146 },
        { kind: 'payment', paymentId: disputed.paymentId, amountCents: 2500 },
        {
          kind: 'dispute',
          objectId: disputeId,
          paymentId: disputed.paymentId,
          amountCents: -2000,
          feeCents: 1500,
        },
        {
          kind: 'dispute',
          objectId: disputeId,
          paymentId: disputed.paymentId,
          amountCents: 2000,
          feeCents: 0,
        },
        { ...nothing, kind: 'transfer', objectId: transferId, transferId, amountCents: -1000 },
        { ...nothing, kind: 'transfer_reversal', objectId: anyId, transferId, amountCents: 400 },
        { ...nothing, kind: 'refund', objectId: refund.refundId, paymentId, amountCents: -300 },
        { ...nothing, kind: 'payout', objectId: anyId, amountCents: -700 },
        { ...nothing, kind: 'funding', objectId: anyId, amountCents: 200 },
        { ...nothing, kind: 'fee', amountCents: -45 },
        { ...nothing, kind: 'other', amountCents: -7 },
      ]);
      expect(new Set(entries.map(({ entryId }) => entryId)).size).toBe(entries.length);
      expect(entries.every(({ createdAtMs }) => Math.abs(createdAtMs - sinceMs) < HOUR_MS)).toBe(true);
      const now = await test.processor.getBalance();
      const total = (balance: typeof now) => balance.availableCents + balance.pendingCents;
      const moved = entries.reduce((sum, { amountCents, feeCents }) => sum + amountCents - feeCents, 0);
      expect(total(now) - total(before)).toBe(moved);
    });

    it('pays an account no more that lost its capability', async () => {
      const accountId = await newSeller();
      await events();
      test.outside.dashboard.restrictAccount(accountId);
      expect(await events()).toContainEqual({ kind: 'account', accountId });
      expect(await test.processor.getAccount(accountId)).toMatchObject({ payoutsEnabled: false });
      const transfer = { accountId, amountCents: 100, purchaseId: test.key(), sourceChargeId: null };
      expect(await test.processor.transfer(test.key(), transfer)).toMatchObject({ kind: 'refused' });
    });

    it('tells of a bank that refused a payout, and of a transfer that was reversed', async () => {
      const { dashboard } = test.outside;
      const accountId = await newSeller();
      dashboard.fund(1000);
      const request = { accountId, amountCents: 500, purchaseId: test.key(), sourceChargeId: null };
      const sent = await test.processor.transfer(test.key(), request);
      if (sent.kind !== 'transferred') throw new Error(sent.code);
      await events();
      dashboard.reverseTransfer(sent.transferId, 200);
      expect(await events()).toEqual([{ kind: 'balance' }]);
      dashboard.failPayout(accountId);
      expect(await events()).toEqual([{ kind: 'account', accountId }]);
      expect(await test.processor.getAccount(accountId)).toMatchObject({ payoutsEnabled: false });
    });

    it('takes back what it sent, in parts and once, out of what is left on the account', async () => {
      const { dashboard } = test.outside;
      dashboard.fund(10_000);
      const send = async (accountId: string) => {
        const request = { accountId, amountCents: 1000, purchaseId: test.key(), sourceChargeId: null };
        const sent = await test.processor.transfer(test.key(), request);
        if (sent.kind !== 'transferred') throw new Error(sent.code);
        return sent.transferId;
      };
      const { processor } = test;
      // What it was sent is at its bank by now.
      const emptied = await send(await newSeller());
      expect(await processor.reverseTransfer(test.key(), { transferId: emptied, amountCents: 1 })).toEqual({
        kind: 'refused',
        code: 'balance_insufficient',
      });
      const accountId = await newSeller();
      dashboard.keepBalance(accountId);
      const transferId = await send(accountId);
      const key = test.key();
      const part = { transferId, amountCents: 300 };
      const first = await processor.reverseTransfer(key, part);
      expect(first).toMatchObject({ kind: 'reversed', reversalId: expect.any(String) });
      test.outside.advance(25 * HOUR_MS);
      expect(await processor.reverseTransfer(key, part), 'a day later').toEqual(first);
      expect(await processor.reverseTransfer(test.key(), { transferId, amountCents: 701 })).toMatchObject({
        kind: 'refused',
      });
      expect(await processor.getTransfer(transferId)).toMatchObject({ reversed: false });
      expect(await processor.reverseTransfer(test.key(), { transferId, amountCents: 700 })).toMatchObject({
        kind: 'reversed',
      });
      expect(await processor.getTransfer(transferId)).toMatchObject({ amountCents: 1000, reversed: true });
    });

    it('sends dollars to an account in another currency, and takes them back at the rate of that day', async () => {
      const { dashboard } = test.outside;
      const { processor } = test;
      dashboard.fund(10_000);
      dashboard.setExchangeRate('eur', 0.8);
      const accountId = await newSeller();
      dashboard.keepBalance(accountId);
      const request = { accountId, amountCents: 1001, purchaseId: test.key(), sourceChargeId: null };
      const sent = await processor.transfer(test.key(), request);
      if (sent.kind !== 'transferred') throw new Error(sent.code);
      const { transferId } = sent;
      const { entries } = await processor.listBalanceEntries({ sinceMs: 0, after: null });
      expect(entries[0]).toMatchObject({ kind: 'transfer', transferId, amountCents: -1001, currency: 'usd' });
      const takeBack = (amountCents: number) =>
        processor.reverseTransfer(test.key(), { transferId, amountCents });
      // 800 euro cents came; the 551 dollar cents that are taken back first cost 441 of them, and 450 later 450.
      expect(await takeBack(551)).toMatchObject({ kind: 'reversed' });
      dashboard.setExchangeRate('eur', 1);
      expect(await takeBack(450)).toEqual({ kind: 'refused', code: 'balance_insufficient' });
      expect(await takeBack(359)).toMatchObject({ kind: 'reversed' });
      expect(await takeBack(1)).toEqual({ kind: 'refused', code: 'balance_insufficient' });
      expect(await processor.getTransfer(transferId)).toMatchObject({ amountCents: 1001, reversed: false });
      dashboard.setExchangeRate('eur', 0.9);
    });

    it('shows nothing of an account that was closed, which is paid no more, and nobody can fill in', async () => {
      const accountId = await newSeller();
      await events();
      test.outside.dashboard.closeAccount(accountId);
      expect(await events()).toEqual([{ kind: 'account', accountId }]);
      const { processor } = test;
      const none = { accountId, payoutsEnabled: false, detailsSubmitted: false };
      expect(await processor.getAccount(accountId)).toEqual(none);
      const transfer = { accountId, amountCents: 100, purchaseId: test.key(), sourceChargeId: null };
      expect(await processor.transfer(test.key(), transfer)).toMatchObject({ kind: 'refused' });
      expect(await onboarding(accountId)).toBeNull();
    });

    it('sends nothing to a country that it serves no more, whose accounts look as before', async () => {
      const { dashboard } = test.outside;
      dashboard.fund(1000);
      const accountId = await newSeller();
      const transfer = { accountId, amountCents: 500, purchaseId: test.key(), sourceChargeId: null };
      dashboard.setCountryOpen('DE', false);
      await refuses(test.processor.transfer(test.key(), transfer));
      expect(await test.processor.getAccount(accountId)).toMatchObject({ payoutsEnabled: true });
      dashboard.setCountryOpen('DE', true);
      expect(await test.processor.transfer(test.key(), transfer)).toMatchObject({ kind: 'transferred' });
    });

    it('has a card whose holder disputes at once', async () => {
      await events();
      const { paymentId } = await test.paid('manual', 'disputed');
      expect((await events()).some(({ kind }) => kind === 'dispute')).toBe(false);
      await test.processor.capture(test.key(), paymentId);
      const told = (await events()).find((about) => about.kind === 'dispute');
      if (told?.kind !== 'dispute') throw new Error('Nobody disputed it.');
      expect(await test.processor.getDispute(told.disputeId)).toMatchObject({ paymentId, status: 'open' });
      await refuses(test.processor.getDispute('du_none'));
    });

    it('takes a webhook only if it is signed, whole and fresh', async () => {
      await events();
      await newSeller();
      const [sent] = await test.outside.takeWebhooks();
      if (!sent) throw new Error('Nothing was sent.');
      const { rawBody, signatureHeader } = sent;
      const read = (body: string, header: string, now = test.now()) =>
        test.processor.readWebhook(body, header, now);
      const event = await read(rawBody, signatureHeader);
      expect(event).toMatchObject({ about: { kind: 'account' } });
      expect(await read(rawBody, signatureHeader)).toEqual(event);
      expect(await read(`${rawBody} `, signatureHeader)).toBe('unauthentic');
      expect(
        await read(
          rawBody,
          signatureHeader.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
        ),
      ).toBe('unauthentic');
      expect(await read(rawBody, '')).toBe('unauthentic');
      expect(await read('', signatureHeader)).toBe('unauthentic');
      expect(await read(rawBody, signatureHeader, test.now() + 6 * 60_000)).toBe('unauthentic');
    });
  });
}
