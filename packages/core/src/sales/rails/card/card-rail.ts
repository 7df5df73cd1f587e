import { commonErrors, Refusal } from '../../../kernel/errors.ts';
import type { ChargeOutcome } from '../../../kernel/ports/card-processor.ts';
import { CARD_CLEARING_ACCOUNT } from '../../../ledger/index.ts';
import { railLimits } from '../../../listings/index.ts';
import { type WalletCard, walletErrors, walletFunds } from '../../../wallet/index.ts';
import { paymentErrors } from '../../payment.errors.ts';
import type { Sale } from '../../sale.ts';
import type { Rail, RailPorts } from '../rail.ts';
import { railDefaults } from '../rail-defaults.ts';
import {
  type CardPayment,
  insertCardPayment,
  requireCardPayment,
  setCardPayment,
} from './card-payments.store.ts';
import {
  askTwice,
  cancelPayment,
  capturePayment,
  isRefusedOutright,
  type ProcessorSale,
  processorOf,
  refundPayment,
  requireCards,
  standingOfPayment,
  toPaymentRefusal,
} from './card-payments.ts';

/** The card that is saved with the buyer, whose holder is not there. */
export const cardRail: Rail<WalletCard> = {
  ...railDefaults,
  name: 'card',
  begins: 'pending_payment',
  isHeldOutside: true,
  limits: (ports) => railLimits('card', ports),
  async prepare(ports, { buyerId, amountCents }) {
    if (buyerId === null) throw new Refusal(commonErrors.missing_api_key);
    requireCards(ports.cards, amountCents);
    const { card } = await walletFunds(ports.market, buyerId);
    if (card === null) throw new Refusal(walletErrors.no_saved_card);
    return card;
  },
  instrumentMark: ({ fingerprint }) => fingerprint,
  payerAccount: () => CARD_CLEARING_ACCOUNT,
  reserve: (_ports, { id }, { customerId, paymentMethodId }) => [
    insertCardPayment({ purchaseId: id, customerId, paymentMethodId }),
  ],
  async confirm(ports, sale) {
    requireCards(ports.cards, sale.amountCents);
    const outcome = await chargeSaved(ports, sale, await requireCardPayment(ports.market, sale.id)).catch(
      (error: unknown): ChargeOutcome => {
        // A job learns the answer, and cancels.
        if (!isRefusedOutright(error)) throw toPaymentRefusal(error);
        return { kind: 'declined', code: 'rejected' };
      },
    );
    switch (outcome.kind) {
      case 'succeeded':
        return {
          kind: 'authorized',
          statements: [setCardPayment(sale.id, { paymentId: outcome.paymentId })],
          captureBefore: outcome.captureBeforeMs,
        };
      case 'declined':
        return { kind: 'refused', error: paymentErrors.card_declined };
      case 'authentication_required':
        return { kind: 'refused', error: paymentErrors.card_authentication_required };
    }
  },
  capture: async (ports, sale) => capturePayment(ports, await processorSale(ports, sale)),
  cancel: async (ports, sale) => cancelPayment(ports, await processorSale(ports, sale)),
  refund: async (ports, sale) => refundPayment(ports, await processorSale(ports, sale)),
  async reconcile(ports, sale) {
    const payment = await requireCardPayment(ports.market, sale.id);
    if (sale.status === 'pending_payment') return repeatCharge(ports, sale, payment);
    if (payment.paymentId === null) return { kind: 'reserved', statements: [], captureBefore: null };
    const seen = await processorOf(ports).getPayment(payment.paymentId);
    return standingOfPayment(ports, asProcessorSale(sale, payment), seen, []);
  },
  async processorPayments({ market }, { id }) {
    const { paymentId } = await requireCardPayment(market, id);
    return paymentId === null ? [] : [paymentId];
  },
  async payoutSource({ market }, { id }) {
    return { kind: 'here', sourceChargeId: (await requireCardPayment(market, id)).chargeId };
  },
};

/** The answer was lost with its request: the same is asked again, under the same key. */
async function repeatCharge(ports: RailPorts, sale: Sale, payment: CardPayment) {
  const outcome = await chargeSaved(ports, sale, payment).catch((error: unknown) => {
    if (!isRefusedOutright(error)) throw error;
    ports.log.error('card_charge_refused', { purchaseId: sale.id, message: error.message });
    return { kind: 'declined' as const };
  });
  if (outcome.kind !== 'succeeded')
    return { kind: 'gone', outcome: 'failed', failure: paymentErrors.card_declined.code } as const;
  return {
    kind: 'reserved',
    statements: [setCardPayment(sale.id, { paymentId: outcome.paymentId })],
    captureBefore: outcome.captureBeforeMs,
  } as const;
}

/** Reserves the price on a saved card. The same for the same sale, to the letter, however often asked. */
function chargeSaved(
  ports: RailPorts,
  { id, amountCents }: Sale,
  { customerId, paymentMethodId }: CardPayment,
): Promise<ChargeOutcome> {
  const cards = processorOf(ports);
  return askTwice(() =>
    cards.chargeSaved(`purchase:${id}:authorize`, {
      reference: { kind: 'purchase', id },
      customerId,
      paymentMethodId,
      amountCents,
      description: `Marketplace purchase ${id}`,
      capture: 'manual',
    }),
  );
}

async function processorSale({ market }: RailPorts, sale: Sale): Promise<ProcessorSale> {
  return asProcessorSale(sale, await requireCardPayment(market, sale.id));
}

function asProcessorSale(sale: Sale, { paymentId }: CardPayment): ProcessorSale {
  return { sale, paymentId, setCharge: (chargeId) => setCardPayment(sale.id, { chargeId }) };
}
