/** Verifies everything that is signed in an answer of a marketplace, lists of ratings and rows included, offline. */
export { type SignedPart, verifyDocument } from './verify-document.ts';
