export { configureDesignations } from './configure-designations.ts';
export { limitPurchases } from './limit-purchases.ts';
export { listDesignations } from './list-designations.ts';
export { listOperatorActions } from './list-operator-actions.ts';
export { listSmokeTests } from './list-smoke-tests.ts';
export { recordAffiliatedReceipt } from './record-affiliated-receipt.ts';
export { removeSmokeTest } from './remove-smoke-test.ts';
export { setDesignation } from './set-designation.ts';
