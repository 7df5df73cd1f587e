export { decideDispute } from './decide-dispute.ts';
export { disputePurchase } from './dispute-purchase.ts';
export { disputeState, ownDispute, stateOfDispute, viewOwnDispute } from './dispute-view.ts';
export { listDisputes } from './list-disputes.ts';
