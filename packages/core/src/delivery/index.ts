/** Asking sellers for what they sell: the endpoint's URL guard, its verification, and deliveries. */
export { createArrivingDigests } from './arriving-digests.rules.ts';
export type { DeliveryPorts, DeliveryTarget } from './ask-seller.ts';
export {
  type ChallengeOutcome,
  type ChallengeRefusal,
  challengeEndpoint,
  explainChallengeRefusal,
  NONCE_BYTES,
} from './challenge-endpoint.ts';
export { deliver } from './deliver.ts';
export {
  type CallbackType,
  countedAs,
  DELIVERY_FAILURES,
  DELIVERY_MAX_BYTES,
  type DeliveryFailure,
  type DeliveryOutcome,
  failed,
  MAILBOX_RETRY_SECONDS,
  type SellerDelivery,
  type Verdict,
  verdictOf,
} from './delivery.rules.ts';
export {
  displaceEndpoints,
  findEndpoint,
  findFirstOnHost,
  findRivals,
  isEndpointConflict,
  isEndpointSet,
  requireFirstEndpoint,
  saveVerifiedEndpoint,
  type VerifiedEndpoint,
} from './endpoints.store.ts';
export { fitsOutputSchema } from './fits-output-schema.ts';
export { probeEndpoints } from './probes/probe-endpoints.ts';
export { forgetProbesBefore, markAnswered, markSilent } from './probes/probes.store.ts';
export { readReply } from './read-reply.ts';
export {
  deleteEndpointRequests,
  type EndpointRequest,
  noteEndpointRequest,
  readEndpointRequests,
} from './requests/endpoint-requests.store.ts';
export { explainVerdict, VERDICTS } from './requests/explain-verdict.ts';
export type { DeliveryRequest } from './seller-messages.rules.ts';
