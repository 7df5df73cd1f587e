/** The SDK for agents: a typed client and offline verification. */
export { buyListing, type SeenListing } from './client/buy-listing.ts';
export {
  type ClientCore,
  createMarketplaceClient,
  type MarketplaceClient,
  type OperationMethods,
  type SignedAnswer,
} from './client/client.ts';
export { type ClientErrorCode, type FieldError, MarketplaceError, ProvenanceError } from './client/errors.ts';
export type { CallOptions, MarketplaceClientOptions, RawRequestOptions } from './client/options.ts';
export type { AgentEvent, EventsOptions } from './client/read-events.ts';
export type { PagedOperation } from './client/read-pages.ts';
export { type Purchase, type WaitForPurchaseOptions, waitForPurchase } from './client/wait-for-purchase.ts';
export type * from './generated/api.ts';
export * from './ingress/index.ts';
export {
  fixedKeys,
  type KeySource,
  KeysUnavailableError,
  type RemoteKeysOptions,
  remoteKeys,
} from './key-source.ts';
export { type KeySet, keySetOf, type PublishedKey } from './keys.ts';
export * from './log/index.ts';
export {
  type SignedPost,
  type SignedPostFailure,
  type SignedPostVerification,
  verifySignedPost,
} from './signed-post.ts';
export * from './verify/index.ts';
export * from './x402/index.ts';
