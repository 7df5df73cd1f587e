/** Verifies the demand ledger of a marketplace against its log, offline. */
export type { DemandFault, DemandFinding, RestoredRow } from './ledger-accounts.ts';
export { type DemandLedgerPages, readDemandLedger } from './read-demand-ledger.ts';
export type { DemandTotals } from './recompute-demand-totals.ts';
export { type DemandEvidence, type DemandVerified, verifyDemandLedger } from './verify-demand-ledger.ts';
