/** How `reconciliation` of the demand ledger begins where its rows agree with the double entries, and in no other case. */
export const RECONCILIATION_PREFIX = 'Agrees with the double-entry ledger';
