export {
  affiliatedReceiptView,
  affiliatedRow,
  viewAffiliatedRow,
} from './affiliated.schema.ts';
export {
  insertAffiliatedReceipt,
  isOtherMerchant,
  isRecordedBefore,
  type RecordedReceipt,
} from './affiliated.store.ts';
export { affiliatedStatement } from './affiliated-receipt.rules.ts';
export { armsLengthCentsOf, totalsOf } from './demand.rules.ts';
export { type DemandFigures, readDemandFigures } from './demand.store.ts';
export {
  DESIGNATIONS,
  designate,
  isUnknownAgent,
  readDesignations,
  setConfigured,
  undesignate,
} from './designations.store.ts';
export { getDemandLedger } from './get-demand-ledger.ts';
export { signSettlements } from './sign-settlements.ts';
export { verifyAffiliatedReceipt } from './verify-affiliated-receipt.ts';
