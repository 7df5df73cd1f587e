/** Becoming a seller, the delivery endpoint, answering deliveries by polling, and how sales go. */
export { answerDelivery } from './answer-delivery.ts';
export { bindPayoutWallet } from './bind-payout-wallet.ts';
export { challengePayoutWallet } from './challenge-payout-wallet.ts';
export { claimEndpoint } from './claim-endpoint.ts';
export { claimPayouts } from './claim-payouts.ts';
export { getClaim } from './get-claim.ts';
export { getEarnings } from './get-earnings.ts';
export { getSellerDashboard } from './get-seller-dashboard.ts';
export { listDeliveries } from './list-deliveries.ts';
export { registerSeller } from './register-seller.ts';
export { setDeliveryEndpoint } from './set-delivery-endpoint.ts';
