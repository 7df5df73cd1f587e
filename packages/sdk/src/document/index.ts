/** Verifies everything that is signed in an answer of a marketplace, lists of ratings and rows included, offline. */
export { type SignedPart, type VerifiedDocument, verifyDocument } from './verify-document.ts';
