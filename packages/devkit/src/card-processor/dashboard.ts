import { enterBalance } from './balance.ts';
import type { Changes } from './control.ts';
import { moveToBank } from './endpoints/balance.ts';
import { appealDispute, closeDispute, openDispute } from './endpoints/disputes.ts';
import { createRefund, endRefund } from './endpoints/refunds.ts';
import { reverseTransfer } from './endpoints/transfers.ts';
import { captureAmount, release } from './money.ts';
import { Problem } from './problem.ts';
import { find, findIntent, newId, type World } from './world.ts';

/** What people do at the processor without the marketplace, and what banks do: each change is kept. */
export function createDashboard(world: World, changed: () => void): Changes {
  const recordChange = <T>(result: T): T => {
    changed();
    return result;
  };
  const chargeOf = (paymentIntent: string) => {
    const { latest_charge } = findIntent(world, paymentIntent, 'paymentIntent');
    return find(world.state.charges, latest_charge ?? '', { what: 'charge', param: 'paymentIntent' });
  };
  const reserved = (paymentIntent: string) => {
    const intent = findIntent(world, paymentIntent, 'paymentIntent');
    if (intent.status !== 'requires_capture') throw new Problem(400, 'Nothing is reserved by this payment.');
    return intent;
  };
  return {
    openDispute: (paymentIntent, terms) =>
      recordChange(openDispute(world, chargeOf(paymentIntent), terms).id),
    closeDispute: (dispute, outcome) => void recordChange(closeDispute(world, dispute, outcome)),
    appealDispute: (dispute) => void recordChange(appealDispute(world, dispute)),
    setRefundStatus(status) {
      world.state.refundStatus = status;
      changed();
    },
    endRefund: (refund, status) => void recordChange(endRefund(world, refund, status)),
    refund: (payment_intent, amount) =>
      recordChange(createRefund(world, { payment_intent, ...(amount !== undefined && { amount }) }).id),
    capture(paymentIntent, amount) {
      const intent = reserved(paymentIntent);
      recordChange(captureAmount(world, intent, Math.min(amount ?? Infinity, intent.amount_capturable)));
    },
    cancel: (paymentIntent) => recordChange(release(world, reserved(paymentIntent), 'requested_by_customer')),
    failPayout(id) {
      const account = find(world.state.accounts, id, { what: 'account', param: 'account' });
      account.payouts_enabled = false;
      const payout = { id: newId('po'), object: 'payout', status: 'failed', failure_code: 'account_closed' };
      world.emit('payout.failed', payout, id);
      changed();
    },
    closeAccount(id) {
      find(world.state.accounts, id, { what: 'account', param: 'account' }).isClosed = true;
      world.emit('account.application.deauthorized', { id: newId('ca'), object: 'application' }, id);
      changed();
    },
    keepBalance(id) {
      const account = find(world.state.accounts, id, { what: 'account', param: 'account' });
      account.settings = { payouts: { schedule: { interval: 'manual' } } };
      account.balance ??= 0;
      changed();
    },
    setExchangeRate(currency, perDollar) {
      world.state.exchangeRates[currency] = perDollar;
      changed();
    },
    setCountryOpen(country, isOpen) {
      const others = world.state.closedCountries.filter((one) => one !== country);
      world.state.closedCountries = isOpen ? others : [...others, country];
      changed();
    },
    reverseTransfer: (transfer, amount) => void recordChange(reverseTransfer(world, transfer, amount)),
    payOut: (amount) => recordChange(moveToBank(world, amount)),
    fund: (amount) => recordChange(moveToBank(world, -amount)),
    chargeFee: (amount) =>
      void recordChange(
        enterBalance(world, { type: 'stripe_fee', category: 'fee', source: null, amount: -amount }),
      ),
    adjust: (amount) =>
      void recordChange(
        enterBalance(world, { type: 'contribution', category: 'contribution', source: null, amount }),
      ),
    restrictAccount(id) {
      const account = find(world.state.accounts, id, { what: 'account', param: 'account' });
      account.capabilities = { transfers: 'inactive' };
      account.payouts_enabled = false;
      account.requirements = { currently_due: [], disabled_reason: 'rejected.other' };
      world.emit('account.updated', account, id);
      changed();
    },
  };
}
