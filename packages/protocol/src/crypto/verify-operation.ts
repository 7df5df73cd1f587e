/** The `verify` member of a receipt. */
export const VERIFY_OPERATION = 'POST /verify-receipt';
