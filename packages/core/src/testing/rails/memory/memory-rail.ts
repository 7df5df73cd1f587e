import { commonErrors, Refusal } from '../../../kernel/errors.ts';
import { paymentErrors } from '../../../sales/payment.errors.ts';
import type { Rail } from '../../../sales/rails/rail.ts';
import { railDefaults } from '../../../sales/rails/rail-defaults.ts';
import { MemoryBankError, memoryBank } from './memory-bank.ts';

/** Shows that a rail is a folder and a line in a list: its money is in the memory of the test. */
export const memoryRail: Rail<null> = {
  ...railDefaults,
  name: 'memory',
  begins: 'pending_payment',
  isHeldOutside: true,
  async prepare(_ports, { buyerId }) {
    if (buyerId === null) throw new Refusal(commonErrors.missing_api_key);
    return null;
  },
  payerAccount: () => 'memory_clearing',
  async confirm(_ports, { id, amountCents }) {
    await memoryBank.reserve(id, amountCents).catch(throwUnconfirmed);
    return { kind: 'authorized', statements: [], captureBefore: null };
  },
  async capture(_ports, { id }) {
    const outcome = await memoryBank.capture(id).catch(throwUnconfirmed);
    return outcome === 'captured' ? { kind: 'captured', reference: null, statements: [] } : { kind: 'gone' };
  },
  async cancel(_ports, { id }) {
    await memoryBank.release(id);
    if ((await memoryBank.find(id)) !== 'captured') return { kind: 'released' };
    const refundId = await memoryBank.refund(id);
    return { kind: 'refunded', refundId, isChargedBack: false, statements: [] };
  },
  refund: async (_ports, { id }) => ({ kind: 'refunded', refundId: await memoryBank.refund(id) }),
  async reconcile(_ports, { id }) {
    switch (await memoryBank.find(id)) {
      case 'reserved':
        return { kind: 'reserved', statements: [], captureBefore: null };
      case 'captured':
        return { kind: 'captured', delivery: null, reference: null, statements: [] };
      case 'released':
        return { kind: 'gone', outcome: 'expired', failure: null };
      case null:
        return { kind: 'gone', outcome: 'failed', failure: null };
    }
  },
};

function throwUnconfirmed(error: unknown): never {
  if (!(error instanceof MemoryBankError)) throw error;
  throw new Refusal(paymentErrors.payment_not_confirmed, { retryAfterSeconds: 60 });
}
