/** Verifies what the marketplace signed, offline. */
export { type AuditChainHead, type AuditChainVerification, verifyAuditChain } from './audit-chain.ts';
export {
  type ListingHistoryEntry,
  type ListingHistoryVerification,
  verifyListingHistory,
} from './listing-history.ts';
export { PURCHASE_RECEIPT, type VerifiedPurchase, verifyPurchaseReceipt } from './purchase-receipt.ts';
export { RATING_ATTESTATION, type VerifiedRating, verifyRatingAttestation } from './rating-attestation.ts';
export { verifyResponse } from './response.ts';
export { type SignedStatement, verifyStatement } from './statement.ts';
export type { Invalid, InvalidReason, Valid, Verification } from './verification.ts';
