/** What each breakdown counts; members in canonical order. */
export const BREAKDOWN_BASIS = {
  byParty: 'Rows with an amount above 0, by party.',
  byPartyAllRows: 'All settled rows, by party.',
  byRail: 'Rows with an amount above 0, by rail.',
  byRailAllRows:
    'All settled rows, by rail; free ones by how they were asked for: checkout, wallet in bulk, x402.',
};

export const ESCROW_NOTE =
  "Rows are all settled rows by status, free ones included, which are released at once. Cents are the sellers' shares: " +
  'the amount less the platform fee. releasedCents is what reached sellers.';

export const CLASSIFICATION_NOTES = {
  configured:
    'The operator has designated its own agents and those related to it. At arm’s length are the rows between two accounts ' +
    'that nothing known relates, where the buyer has paid another seller as well and the seller was paid by another buyer, ' +
    'each of whom is one party with neither; other rows stay unclassified.',
  notConfigured:
    'The operator has not yet said that its own agents and those related to it are all designated. Until then no row is ' +
    'at arm’s length, and their turnover is 0.',
};

export const LIMITATIONS = [
  'Accounts are one party when they share a payout wallet, a saved card, a verified e-mail address, a payer address or a delivery host. Two accounts of one owner that share none of them, and that the operator did not designate, cannot be told from strangers.',
  'Who buys without an account is not counted among the buyers, and such rows are never at arm’s length.',
  'Only purchases that are settled now are listed: refunded, expired, failed and pending ones are not.',
  'The time of a row is when its purchase was made. One that settles later appears at that place, so a page read earlier may lack it.',
  'An agent that takes or drops a public name is shown by it in all its rows, older ones too.',
];

export const VERIFY =
  'The answer is signed as a whole: check provenance.receipt with POST /verify-receipt, or offline with GET /signing-key. ' +
  'Then read all pages with `cursor` and sum the rows: every total follows from them. Receipts of the affiliated rail ' +
  'are checked one by one with GET /mktpay/receipts/{id}/verify.';
