/** Becoming a seller, the delivery endpoint, answering deliveries by polling, and how sales go. */
export { answerDelivery } from './answer-delivery.ts';
export { claimEndpoint } from './claim-endpoint.ts';
export { claimPayouts } from './claim-payouts.ts';
export { getClaim } from './get-claim.ts';
export { getEarnings } from './get-earnings.ts';
export { getSellerDashboard } from './get-seller-dashboard.ts';
export { listDeliveries } from './list-deliveries.ts';
export { writeNoticeMails } from './notices/write-notice-mails.ts';
export { bindPayoutWallet } from './payouts/bind-payout-wallet.ts';
export { cancelPayoutChange } from './payouts/cancel-payout-change.ts';
export { challengePayoutWallet } from './payouts/challenge-payout-wallet.ts';
export { getPayoutChange } from './payouts/get-payout-change.ts';
export { setPayoutGas } from './payouts/set-payout-gas.ts';
export { proofErrors, proveEndpoint } from './prove-endpoint.ts';
export { registerSeller } from './register-seller.ts';
export { listSales } from './sales/list-sales.ts';
export { setDeliveryEndpoint } from './set-delivery-endpoint.ts';
export { setTaxDetails } from './set-tax-details.ts';
