/** Becoming a seller, the delivery endpoint, and answering deliveries by polling. */
export { answerDelivery } from './answer-delivery.ts';
export { claimEndpoint } from './claim-endpoint.ts';
export { getClaim } from './get-claim.ts';
export { listDeliveries } from './list-deliveries.ts';
export { registerSeller } from './register-seller.ts';
export { setDeliveryEndpoint } from './set-delivery-endpoint.ts';
