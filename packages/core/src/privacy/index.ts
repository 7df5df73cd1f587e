export { cancelErasure } from './erasure/cancel-erasure.ts';
export { carryOutErasures } from './erasure/carry-out-erasures.ts';
export { getErasure } from './erasure/get-erasure.ts';
export { listErasures } from './erasure/list-erasures.ts';
export { replayErasures } from './erasure/replay-erasures.ts';
export { requestErasure } from './erasure/request-erasure.ts';
export { exportOwnData } from './export/export-own-data.ts';
export { deleteExpired } from './retention/expiries.store.ts';
