// What a schema cannot say of a field, and only a person can: one line for each field that is not as most are. The tests
// that ask name the list in their message.

/** Paths that name one thing, which is everyone's to see. */
export const PUBLISHED_BY_ID = ['/marketplace/listings/{id}', '/verticals/{slug}'];

/** Texts for others that may have several lines (`linesOf`, not `lineOf`). */
export const LINES = new Set([
  'blockListing.reason',
  'closeInquiry.reason',
  'closeLedgerPeriod.note',
  'configureDesignations.reason',
  'createListing.description',
  'deactivateListing.reason',
  'decideDispute.reason',
  'disputePurchase.reason',
  'followUpInquiry.message',
  'holdPurchase.reason',
  'liftHold.reason',
  'limitPurchases.reason',
  'listHealthData.description',
  'markPaidElsewhere.evidence.text',
  'markPaidElsewhere.reason',
  'rateListing.comment',
  'rebuildSearchIndex.reason',
  'recordAffiliatedReceipt.description',
  'refundPurchase.reason',
  'replyToInquiry.body',
  'changeOperatorRole.reason',
  'createOperator.reason',
  'revokeOperator.reason',
  'rotateOperatorSecret.reason',
  'retryCardEvent.reason',
  'retryMessage.reason',
  'retryPayout.reason',
  'retryPurchase.reason',
  'retryTopUp.reason',
  'reviewHealthDeclaration.reason',
  'sendMessage.text',
  'setDesignation.note',
  'submitIdea.description',
  'submitIdea.impact',
  'submitInquiry.message',
  'updateListing.description',
  'updateListing.reason',
]);

const COMPARED = 'compared with what there is, and not kept';
const CALLED = 'a URL, judged by its own rules';
const HOW_IT_CAME = 'how an agent came, for the operator alone; kept as it came';
const CLEANED = 'reduced to what is safe to show';

/** Texts that are not for others to read, and why they may be anything: what is no `lineOf`, `linesOf` or `messageOf`. */
export const NO_TEXT: Readonly<Record<string, string>> = {
  'answerDelivery.nonce': COMPARED,
  'bindPayoutWallet.nonce': COMPARED,
  'browseListings.q': COMPARED,
  'browseListings.vertical': COMPARED,
  'challengePayoutWallet.address': COMPARED,
  'cancelPayoutChange.token': COMPARED,
  'challengePayer.parameters.*': 'only a digest of it is shown',
  'challengePayer.payer': COMPARED,
  'claimEndpoint.callbackUrl': CALLED,
  'claimEndpoint.token': COMPARED,
  'claimPayouts.token': COMPARED,
  'closeLedgerPeriod.month': COMPARED,
  'createListing.vertical': COMPARED,
  'disputePurchase.token': COMPARED,
  'exportPostings.month': COMPARED,
  'followUpInquiry.attachments.[].contentBase64': 'bytes',
  'followUpInquiry.attachments.[].contentType': CLEANED,
  'followUpInquiry.attachments.[].filename': CLEANED,
  'getAgent.handle': COMPARED,
  'getClaim.token': COMPARED,
  'getPayoutChange.token': COMPARED,
  'getPurchase.token': COMPARED,
  'getReconciliation.after': COMPARED,
  'getReconciliation.month': COMPARED,
  'getStatement.month': COMPARED,
  'getStatementFile.month': COMPARED,
  'getVertical.slug': COMPARED,
  'heartbeat.sessionId': COMPARED,
  'listLedgerPeriods.before': COMPARED,
  'listPurchases.idempotencyKey': COMPARED,
  'listPurchaseDocuments.token': COMPARED,
  'provePayer.message': COMPARED,
  'queryListing.parameters.*': 'passed on to the seller as it came',
  'queryListing.payment': 'base64',
  'queryListing.paymentSignature': 'base64',
  'retryCardEvent.eventId': COMPARED,
  'retryMessage.messageId': COMPARED,
  'queryListing.resume': 'compared with a token, and shown nowhere',
  'readInbox.cursor': COMPARED,
  'recordAffiliatedReceipt.merchant.siteOrigin': CALLED,
  'registerAgent.callbackUrl': CALLED,
  'registerAgent.referralSource': HOW_IT_CAME,
  'registerAgent.referrer': HOW_IT_CAME,
  'registerAgent.utm.*': HOW_IT_CAME,
  'registerSeller.referralSource': HOW_IT_CAME,
  'registerSeller.referrer': HOW_IT_CAME,
  'registerSeller.utm.*': HOW_IT_CAME,
  'replyToInquiry.attachments.[].contentBase64': 'bytes',
  'replyToInquiry.attachments.[].contentType': CLEANED,
  'replyToInquiry.attachments.[].filename': CLEANED,
  'searchHealthData.q': COMPARED,
  'sendMessage.handle': COMPARED,
  'setDeliveryEndpoint.callbackUrl': CALLED,
  'submitInquiry.attachments.[].contentBase64': 'bytes',
  'submitInquiry.attachments.[].contentType': CLEANED,
  'submitInquiry.attachments.[].filename': CLEANED,
  'updateAgent.callbackUrl': CALLED,
  'verifyAffiliatedReceipt.receiptId': COMPARED,
  'verifyReceipt.receipt.digest': COMPARED,
  'verifyReceipt.receipt.keyId': COMPARED,
  'verifyReceipt.receipt.signature': COMPARED,
  'verifyReceipt.receipt.signedAt': COMPARED,
};

const BETWEEN_TWO = 'the two parties of a deal, or of a message';
const OPERATOR = 'who sent it, and the operator';
const THREAD = 'who holds the id of the inquiry';
const UNSEEN = 'nobody: it is looked up, called or compared, or only a digest of it is shown';
const OWN_ACCOUNT = 'whoever has a key of the account';
const OWN_WORDS = 'the inquirer, or nobody but the operator: it is the operator who writes';

/** Who sees a text that is not searched for what must not be published: the fields that `publicFields` leaves out. */
export const PRIVATE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  registerAgent: { callbackUrl: UNSEEN, email: OPERATOR, name: OPERATOR, ...origins(OPERATOR) },
  registerSeller: { country: UNSEEN, email: OPERATOR, name: OPERATOR, ...origins(OPERATOR) },
  updateAgent: { callbackUrl: UNSEEN },
  sendMessage: { handle: UNSEEN, text: BETWEEN_TWO },
  createKey: { label: OWN_ACCOUNT },
  createListing: { vertical: UNSEEN },
  listHealthData: { consent: UNSEEN },
  purchaseListing: { email: OPERATOR, query: BETWEEN_TWO },
  getPurchase: { token: UNSEEN },
  queryListing: { parameters: BETWEEN_TWO, payment: UNSEEN, paymentSignature: UNSEEN, resume: UNSEEN },
  makeOffer: { query: BETWEEN_TWO },
  disputePurchase: { reason: BETWEEN_TWO, token: UNSEEN },
  answerDelivery: { data: BETWEEN_TWO, nonce: UNSEEN },
  shipOrder: { carrier: BETWEEN_TWO, trackingNumber: BETWEEN_TWO },
  setDeliveryEndpoint: { callbackUrl: UNSEEN },
  claimEndpoint: { callbackUrl: UNSEEN, token: UNSEEN },
  claimPayouts: { country: UNSEEN, tax: OPERATOR, token: UNSEEN },
  challengePayoutWallet: { address: UNSEEN },
  bindPayoutWallet: { nonce: UNSEEN, signature: UNSEEN, tax: OPERATOR },
  setTaxDetails: { tax: OPERATOR },
  challengePayer: { parameters: UNSEEN, payer: UNSEEN, paymentNonce: UNSEEN },
  provePayer: { message: UNSEEN, signature: UNSEEN },
  cancelPayoutChange: { signature: UNSEEN, token: UNSEEN },
  submitInquiry: {
    ...{ attachments: THREAD, category: THREAD, message: THREAD, subject: THREAD, submittedBy: THREAD },
    ...{ email: OPERATOR, name: OPERATOR },
  },
  followUpInquiry: { attachments: THREAD, message: THREAD, name: THREAD },
  submitIdea: {
    ...{ category: OPERATOR, description: OPERATOR, impact: OPERATOR, submittedBy: OPERATOR },
    title: OPERATOR,
  },
  replyToInquiry: { attachments: OWN_WORDS, authorName: OWN_WORDS, body: OWN_WORDS },
  closeInquiry: { reason: OWN_WORDS },
  adjustLedger: { operator: OWN_WORDS, reason: OWN_WORDS, reference: OWN_WORDS },
  configureDesignations: { reason: OWN_WORDS },
  decideDispute: { reason: OWN_WORDS },
  holdPurchase: { reason: OWN_WORDS },
  liftHold: { reason: OWN_WORDS },
  refundPurchase: { reason: OWN_WORDS },
  markPaidElsewhere: { evidence: OWN_WORDS, reason: OWN_WORDS },
  retryCardEvent: { eventId: UNSEEN, reason: OWN_WORDS },
  retryMessage: { messageId: UNSEEN, reason: OWN_WORDS },
  retryPayout: { reason: OWN_WORDS },
  retryPurchase: { reason: OWN_WORDS },
  retryTopUp: { reason: OWN_WORDS },
  limitPurchases: { reason: OWN_WORDS },
  rebuildSearchIndex: { reason: OWN_WORDS },
  closeLedgerPeriod: { month: UNSEEN, note: OWN_WORDS },
  setDesignation: { note: OWN_WORDS },
  createOperator: { name: OWN_WORDS, reason: OWN_WORDS },
  rotateOperatorSecret: { reason: OWN_WORDS },
  revokeOperator: { reason: OWN_WORDS },
  changeOperatorRole: { reason: OWN_WORDS },
  recordAffiliatedReceipt: { id: UNSEEN, rail: UNSEEN },
  verifyReceipt: { payload: UNSEEN, receipt: UNSEEN },
  admit: { berthKey: UNSEEN, requestId: UNSEEN, sig: UNSEEN, vertical: UNSEEN },
  heartbeat: { sessionId: UNSEEN },
};

function origins(who: string): Record<string, string> {
  return { referralSource: who, referrer: who, utm: who };
}

/** What has no end in its schema, and why not. */
export const UNLIMITED: Readonly<Record<string, string>> = {
  'admit.ts': 'STALE_TS is what answers a time that is too far from now, however far',
  'challengePayer.parameters': 'a query is limited as a whole, as contract/x402 tries',
  'queryListing.parameters': 'a query is limited as a whole, as contract/x402 tries',
  'challengePayer.parameters.*': 'a query is limited as a whole, as contract/x402 tries',
  'queryListing.parameters.*': 'a query is limited as a whole, as contract/x402 tries',
};
