/** For sellers: a delivery endpoint, or a polling loop instead. */
export { type FastifyScope, toFastifyPlugin } from './adapters/fastify.ts';
export { type HonoContext, toHonoHandler } from './adapters/hono.ts';
export { type NodeRequest, type NodeResponse, toNodeListener } from './adapters/node-listener.ts';
export { type SellerWorker, toWorker } from './adapters/worker.ts';
export { type AnswerStore, memoryAnswers } from './answer-store.ts';
export { DeliverableError } from './deliverable.ts';
export { DeliveryFailed, type FailedStatus } from './delivery-failed.ts';
export { type DeliveryPurchase, readDeliveryPurchase } from './delivery-purchase.ts';
export type { Deliver, DeliveryRequest } from './messages.ts';
export { type MeteredData, metered } from './metered.ts';
export { bindPayoutWallet, type MessageSigner } from './payout-wallet.ts';
export { type PollDeliveriesOptions, pollDeliveries } from './poll-deliveries.ts';
export { QueryRefused } from './query-refused.ts';
export type { Refusal, RefusalCode } from './refusals.ts';
export { createSellerEndpoint, type FetchHandler, type SellerEndpointOptions } from './seller-endpoint.ts';
