export { checkReceipt, receiptCheckFields } from './check-receipt.ts';
export { getSigningKey } from './get-signing-key.ts';
export { isValidChain } from './is-valid-chain.ts';
export { keyDocument, keyDocumentView } from './key-document.ts';
export { logByOf, newSalt } from './logged-statement.ts';
export { listPublishedKeys, publishActiveKey } from './signing-keys.store.ts';
export { logBy, receiptSalt, signedStatementOf } from './statements.schema.ts';
export { verifyReceipt } from './verify-receipt.ts';
