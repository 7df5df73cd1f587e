export { agentErrors } from './agents.errors.ts';
export {
  connect,
  displayNameField,
  refusedShareField,
  registrationFields,
  requireCallableUrl,
  requireOwnName,
} from './agents.schema.ts';
export {
  deleteAgent,
  insertSeller,
  isNoAgent,
  isSellerSuspended,
  isSuspensionUnchanged,
  limitPurchases,
  readOwnRecord,
  setDisplayName,
  setSuspension,
  touchAgent,
  touchSmokeTest,
} from './agents.store.ts';
export { parseClaimToken } from './claim-link.rules.ts';
export { type ClaimLink, claimLinkFor, resolveClaimToken } from './claim-link.ts';
export { accountMail, callbackChangedMail } from './email/account-mail.rules.ts';
export { cancelRecovery } from './email/cancel-recovery.ts';
export { completeRecovery } from './email/complete-recovery.ts';
export { mailEmailLink } from './email/mail-email-link.ts';
export { linkTokenFrom, parseLinkToken } from './email/mailed-link.rules.ts';
export { openRecovery } from './email/open-recovery.ts';
export { requestRecovery } from './email/request-recovery.ts';
export { verifyEmail } from './email/verify-email.ts';
export { recordActivation } from './events/activation.store.ts';
export type { AgentEventType, SellerNotification } from './events/agent-event.ts';
export { recordAgentEvent } from './events/agent-events.store.ts';
export { setCallbackUrl } from './events/callback-url.store.ts';
export {
  beginContentPush,
  endContentPush,
  findContentCallback,
  pauseContentPushes,
} from './events/content-pushes.store.ts';
export { deleteOldAgentEvents, deliverAgentEvents, pushEvent } from './events/deliver-agent-events.ts';
export { listAgentEvents } from './events/list-agent-events.ts';
export { listNotifications, recordNotification } from './events/notifications.store.ts';
export { recordAccountNotice } from './events/record-account-notice.ts';
export { recordErasureNotice } from './events/record-erasure-notice.ts';
export { recordSellerNotice } from './events/record-seller-notice.ts';
export { redeliverAgentEvent } from './events/redeliver-agent-event.ts';
export { getAgent } from './get-agent.ts';
export { getOwnAgent, ownAgent, readOwnAgent } from './get-own-agent.ts';
export { findByKeyHash, IDEMPOTENCY_SCOPE, recordKeyUses } from './keys/agent-keys.store.ts';
export { changeKeyPolicy } from './keys/change-key-policy.ts';
export { createKey } from './keys/create-key.ts';
export { getKeyBudget } from './keys/get-key-budget.ts';
export { listKeys } from './keys/list-keys.ts';
export { revokeKey } from './keys/revoke-key.ts';
export { rotateKey } from './keys/rotate-key.ts';
export { limitByOperator } from './limit-by-operator.ts';
export { listAgents } from './list-agents.ts';
export { readInbox } from './read-inbox.ts';
export { registerAgent } from './register-agent.ts';
export {
  buyerLabelOf,
  connectOf,
  insertPlatformSeller,
  newAgent,
  type Registration,
} from './registration.ts';
export { endPairs } from './reputation/ended-pairs.store.ts';
export { recordPartyMark } from './reputation/party-marks.store.ts';
export { weighBuyers } from './reputation/weigh-buyers.ts';
export {
  averageRating,
  bayesianRating,
  refusedShare,
  reputationAt,
  type SellerRecord,
} from './reputation.rules.ts';
export {
  type CountedPurchase,
  countDelivered,
  countNotShipped,
  countUndelivered,
  SELLER_RECORD,
} from './seller-counts.store.ts';
export {
  addMissingEmail,
  arePayoutsConnected,
  connectPayouts,
  disconnectPayouts,
  revokeClaimLinks,
  setSellerCountry,
} from './sellers.store.ts';
export { sendMessage } from './send-message.ts';
