/** For sellers: a delivery endpoint, or a polling loop instead. */
export { type AnswerStore, memoryAnswers } from './answer-store.ts';
export { type DeliveryPurchase, readDeliveryPurchase } from './delivery-purchase.ts';
export type { Deliver, DeliveryRequest } from './messages.ts';
export { type NodeRequest, type NodeResponse, toNodeListener } from './node-listener.ts';
export { bindPayoutWallet, type MessageSigner } from './payout-wallet.ts';
export { type PollDeliveriesOptions, pollDeliveries } from './poll-deliveries.ts';
export { createSellerEndpoint, type FetchHandler, type SellerEndpointOptions } from './seller-endpoint.ts';
