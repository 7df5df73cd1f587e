import type { Rail } from './rail.ts';

/** What a rail does not say otherwise: nothing outside knows of its money. */
export const railDefaults = {
  isPaymentMethod: true,
  begins: 'authorized',
  isPaidLater: false,
  isHeldOutside: false,
  isRevocable: true,
  undeliveredGraceMs: 0,
  limits: () => ({ minCents: 0, maxCents: Number.MAX_SAFE_INTEGER }),
  prepare: async () => null,
  covers: async () => true,
  instrumentMark: () => null,
  reserve: () => [],
  explainRefused: () => null,
  confirm: async (_ports, { id }) => {
    throw new Error(`Purchase ${id} is authorized with its reservation.`);
  },
  capture: async () => ({ kind: 'captured', reference: null, statements: [] }),
  hasAnswer: async () => true,
  cancel: async () => ({ kind: 'released' }),
  release: () => [],
  releaseRest: null,
  refund: null,
  canRefund: () => true,
  reconcile: async () => ({ kind: 'reserved', statements: [], captureBefore: null }),
  processorPayments: async () => [],
  payoutSource: async () => ({ kind: 'here', sourceChargeId: null }),
  afterSale: async () => {},
} as const satisfies Omit<Rail<null>, 'name' | 'payerAccount'>;
