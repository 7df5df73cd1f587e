import { insertApproval } from '@agent-marketplace/core/approvals/approvals.store.ts';
import { ownerToken } from '@agent-marketplace/core/approvals/owner-link.ts';
import { insertPasskey } from '@agent-marketplace/core/approvals/passkeys/passkeys.store.ts';
import { monthBefore } from '@agent-marketplace/core/ledger/period.rules.ts';
import { insertPeriod } from '@agent-marketplace/core/ledger/periods.store.ts';
import { fetchListingImages } from '@agent-marketplace/core/listings/index.ts';
import { erasureDigest } from '@agent-marketplace/core/privacy/erasure/erasure-digest.ts';
import { FakeImageFetcher } from '@agent-marketplace/core/testing/doubles/fake-image-fetcher.ts';
import { createSoftwarePasskey } from '@agent-marketplace/core/testing/doubles/software-passkey.ts';
import { ATTESTED, HEALTH_LISTING } from '@agent-marketplace/core/testing/fixtures/health-data.ts';
import { newOperator } from '@agent-marketplace/core/testing/fixtures/new-operator.ts';
import { testBindings } from '@agent-marketplace/core/testing/marketplace/workers-bindings.ts';
import { TEST_BASE_URL } from '@agent-marketplace/core/testing/marketplace/workers-harness.ts';
import { newAccount, newNonce } from '@agent-marketplace/core/testing/suites/chain.harness.ts';
import { type Agent, LISTING, type World } from './world.ts';

export interface Example {
  /** Added to what the schema tells by itself. */
  readonly input: Record<string, unknown>;
  /** Who asks, where the operation's `auth` does not say. */
  readonly as?: 'buyer' | 'seller' | 'operator' | Agent;
}

type Examples = Readonly<Record<string, (world: World) => Promise<Example> | Example>>;

/**
 * Inputs that a schema alone cannot tell: ids of things that exist, values that mean something. Operations
 * that are not listed here are tried with what their schema allows.
 */
export const examples: Examples = {
  // Its members are optional in the schema, because a whole answer has them elsewhere.
  verifyReceipt: () => ({
    input: { receipt: { digest: `sha256:${'0'.repeat(64)}`, keyId: 'k', signature: 's', signedAt: 't' } },
  }),

  getAgent: ({ buyer }) => ({ input: { handle: buyer.handle } }),
  sendMessage: ({ seller }) => ({ input: { handle: seller.handle } }),

  requestErasure: async (world) => ({ input: {}, as: await newcomer(world) }),
  cancelErasure: async (world) => {
    const agent = await newcomer(world);
    await world.perform('requestErasure', {}, agent);
    return { input: {}, as: agent };
  },
  replayErasures: async (world) => ({
    input: { digests: [await erasureDigest((await newcomer(world)).id)] },
    as: 'operator',
  }),

  getVertical: () => ({ input: { slug: LISTING.vertical } }),
  getListing: async (world) => ({ input: { listingId: await world.newListing() } }),
  createAlert: () => ({ input: { q: 'nothing that anybody sells yet' } }),
  deleteAlert: async (world) => {
    const { id } = await world.perform('createAlert', { q: 'tides of another sea' }, world.buyer);
    return { input: { alertId: id } };
  },
  getListingImage: async (world) => {
    const listingId = await world.newListing({ images: ['https://pictures.example.com/tides.png'] });
    await fetchListingImages({ ...world.market.newPorts(), images: new FakeImageFetcher() });
    const { listing } = await world.perform('getListing', { listingId });
    const [picture] = (listing as { pictures: { small: string }[] }).pictures;
    return { input: { listingId, image: picture?.small.split('/').at(-1) } };
  },
  getListingHistory: async (world) => ({ input: { listingId: await world.newListing() } }),
  getListingQuality: async (world) => ({ input: { listingId: await world.newListing() } }),
  updateAgent: async ({ perform }) => {
    const agent = await perform('registerAgent', { name: 'Newcomer' });
    return { input: { displayName: 'Harbour Office' }, as: agent as unknown as Agent };
  },
  redeliverAgentEvent: async (world) => {
    const { apiKey, id, connect } = await world.perform('registerAgent', {
      name: 'Listener',
      callbackUrl: 'http://localhost:9/events',
    });
    const { handle } = connect as { handle: string };
    const agent = { apiKey: String(apiKey), id: String(id), handle };
    await world.perform('sendMessage', { handle, text: 'Hello' }, world.seller);
    const { events } = await world.perform('listAgentEvents', {}, agent);
    return { input: { eventId: (events as { id: string }[])[0]?.id }, as: agent };
  },
  createListing: () => ({ input: LISTING, as: 'seller' }),
  updateListing: async (world) => ({
    input: { listingId: await world.newListing(), title: 'A better title' },
    as: 'seller',
  }),
  testListing: async (world) => ({ input: { listingId: await world.newListing() }, as: 'seller' }),
  deactivateListing: async (world) => ({ input: { listingId: await world.newListing() }, as: 'seller' }),

  listHealthData: () => ({ input: HEALTH_LISTING, as: 'seller' }),
  getHealthConsent: async (world) => ({ input: { listingId: await healthData(world) } }),
  listHealthAttestations: async (world) => {
    const listingId = await healthData(world);
    await world.perform(
      'purchaseListing',
      { listingId, paymentMethod: 'wallet', ...ATTESTED_USE },
      world.buyer,
    );
    return { input: { listingId }, as: 'seller' };
  },

  purchaseListing: async (world) => ({ input: { listingId: await world.newListing() }, as: 'buyer' }),
  getPurchase: async (world) => {
    const listingId = await world.newListing();
    const { id } = await world.perform('purchaseListing', { listingId }, world.buyer);
    return { input: { purchaseId: id }, as: 'buyer' };
  },
  getPurchaseLink: async (world) => {
    const listingId = await world.newListing();
    const { id } = await world.perform('purchaseListing', { listingId }, world.buyer);
    return { input: { purchaseId: id }, as: 'buyer' };
  },

  disputePurchase: async (world) => {
    const buyer = await world.newBuyer();
    const { purchaseId } = await world.newSale({}, buyer);
    return { input: { purchaseId, reason: 'Not what was described.' }, as: buyer };
  },
  listPurchaseDocuments: async (world) => {
    const { purchaseId } = await world.newSale();
    return { input: { purchaseId }, as: 'buyer' };
  },
  getStatement: async (world) => ({ input: { month: await monthWithSale(world) }, as: 'seller' }),
  getAnnualStatementFile: async (world) => {
    await world.newSale();
    return { input: { year: 2026 }, as: 'seller' };
  },
  getPurchasesFile: async (world) => {
    const { purchaseId } = await world.newSale();
    await world.newSale();
    return { input: { year: 2026, after: purchaseId }, as: 'buyer' };
  },
  getStatementFile: async (world) => ({ input: { month: await monthWithSale(world) }, as: 'seller' }),
  listAnnualTotals: ({ buyer }) => ({ input: { year: 2026, after: buyer.id }, as: 'operator' }),
  closeLedgerPeriod: async (world) => ({
    input: { month: await endedMonth(world), note: 'Compared by hand.' },
    as: 'operator',
  }),
  adjustLedger: () => ({
    input: { ...ADJUSTMENT, reference: `statement ${crypto.randomUUID()}` },
    as: 'operator',
  }),
  exportPostings: async (world) => ({ input: { month: await monthWithSale(world) }, as: 'operator' }),
  listDisputes: () => ({ input: {}, as: 'operator' }),
  getReconciliation: () => ({ input: {}, as: 'operator' }),
  getMetrics: () => ({ input: { period: 'hour' }, as: 'operator' }),
  getPlatformHealth: () => ({ input: {}, as: 'operator' }),
  listDesignations: () => ({ input: {}, as: 'operator' }),
  suspendAgent: async ({ perform }) => {
    const { id } = await perform('registerAgent', { name: 'Newcomer' });
    return { input: { agentId: id, suspended: true, rule: 'deception', reason: 'Lies.' }, as: 'operator' };
  },
  limitPurchases: ({ buyer }) => ({ input: { agentId: buyer.id, limited: false }, as: 'operator' }),
  setDesignation: ({ buyer }) => ({ input: { agentId: buyer.id, party: 'internal' }, as: 'operator' }),
  configureDesignations: () => ({ input: {}, as: 'operator' }),
  recordAffiliatedReceipt: () => ({ input: AFFILIATED_RECEIPT, as: 'operator' }),
  verifyAffiliatedReceipt: async (world) => {
    const { row } = await world.perform('recordAffiliatedReceipt', AFFILIATED_RECEIPT, 'operator');
    return { input: { receiptId: (row as { id: string }).id } };
  },
  createOperator: () => ({ input: { name: `Ada ${crypto.randomUUID()}`, role: 'viewer' }, as: 'operator' }),
  rotateOperatorSecret: async (world) => ({ input: { operatorId: await operatorIn(world) }, as: 'operator' }),
  changeOperatorRole: async (world) => ({
    input: { operatorId: await operatorIn(world), role: 'finance' },
    as: 'operator',
  }),
  revokeOperator: async (world) => ({ input: { operatorId: await operatorIn(world) }, as: 'operator' }),
  listSmokeTests: () => ({ input: {}, as: 'operator' }),
  removeSmokeTest: async (world) => {
    const registered = await world.perform('registerAgent', { name: 'Smoke', smokeTest: true }, 'operator');
    return { input: { agentId: registered.id }, as: 'operator' };
  },
  holdPurchase: async (world) => ({
    input: { purchaseId: (await world.newSale()).purchaseId, reason: 'A complaint.' },
    as: 'operator',
  }),
  liftHold: async (world) => {
    const { purchaseId } = await world.newSale();
    await world.perform('holdPurchase', { purchaseId, reason: 'A complaint.' }, 'operator');
    return { input: { purchaseId, reason: 'It was settled.' }, as: 'operator' };
  },
  refundPurchase: async (world) => ({
    input: { purchaseId: (await world.newSale()).purchaseId, reason: 'A complaint.' },
    as: 'operator',
  }),
  retryPurchase: async (world) => {
    const { purchaseId } = await world.newSale();
    await testBindings.DB.prepare('UPDATE payments SET hold_until = ? WHERE purchase_id = ?')
      .bind('2020-01-01T00:00:00.000Z', purchaseId)
      .run();
    return { input: { purchaseId, reason: 'It is late.' }, as: 'operator' };
  },
  markPaidElsewhere: async (world) => {
    // What is paid elsewhere does not come back to the wallet that all sales are paid from.
    const { purchaseId } = await world.newSale({ priceCents: 1 });
    const evidence = { text: 'Bank transfer 4711.' };
    return { input: { purchaseId, party: 'buyer', evidence, reason: 'The card is gone.' }, as: 'operator' };
  },
  retryPayout: async (world) => ({
    input: { payoutId: await newPayout(world), reason: 'It is late.' },
    as: 'operator',
  }),
  retryCardEvent: async () => {
    const eventId = `evt_${crypto.randomUUID()}`;
    await testBindings.DB.prepare(
      `INSERT INTO card_events (event_id, about, created_at)
        VALUES (?, '{"kind":"account","accountId":"acct_none"}', '2020-01-01T00:00:00.000Z')`,
    )
      .bind(eventId)
      .run();
    return { input: { eventId, reason: 'It never came.' }, as: 'operator' };
  },
  retryMessage: async () => {
    const messageId = crypto.randomUUID();
    await testBindings.DB.prepare(
      `INSERT INTO dead_messages (id, message, died_at) VALUES (?, '{"kind":"outbox"}', '2020-01-01T00:00:00.000Z')`,
    )
      .bind(messageId)
      .run();
    return { input: { messageId, reason: 'It failed.' }, as: 'operator' };
  },
  settleClaim: async (world) => {
    // One sale may be disputed many times, and the buyer has no money for many sales.
    const sold = testBindings.DB.prepare('SELECT id FROM purchases WHERE amount_cents > 0 LIMIT 1');
    const purchaseId = (await sold.first<string>('id')) ?? (await world.newSale()).purchaseId;
    const disputeId = `du_${crypto.randomUUID()}`;
    const at = '2020-01-01T00:00:00.000Z';
    await testBindings.DB.batch([
      testBindings.DB.prepare(
        `INSERT INTO chargebacks (dispute_id, payment_id, purchase_id, amount_cents, status, withdrawn_cents, covered_cents, opened_at,
          settled_at, revision) VALUES (?, 'pi_1', ?, 100, 'lost', 100, 0, ?, ?, 1)`,
      ).bind(disputeId, purchaseId, at, at),
      testBindings.DB.prepare(
        `INSERT INTO seller_claims (dispute_id, purchase_id, seller_id, claim_cents)
          SELECT ?, id, seller_id, 95 FROM purchases WHERE id = ?`,
      ).bind(disputeId, purchaseId),
    ]);
    return { input: { disputeId, account: 'bank', reason: 'Paid by bank transfer.' }, as: 'operator' };
  },
  retryTopUp: async (world) => {
    const { topUpId } = await world.perform('fundWallet', { amountCents: 1000 }, world.buyer);
    return { input: { topUpId, reason: 'It is late.' }, as: 'operator' };
  },
  decideDispute: async (world) => {
    const { purchaseId } = await newDispute(world);
    return { input: { purchaseId, decision: 'refund' }, as: 'operator' };
  },
  getDispute: async (world) => {
    const { purchaseId, buyer } = await newEvidence(world);
    return { input: { purchaseId }, as: buyer };
  },
  addDisputeStatement: async (world) => {
    const { purchaseId } = await newDispute(world);
    return { input: { purchaseId, body: 'The log of my server shows the answer.' }, as: 'seller' };
  },
  getDisputeAttachment: async (world) => {
    const { buyer, ...input } = await newEvidence(world);
    return { input, as: buyer };
  },
  readDispute: async (world) => {
    const { purchaseId } = await newEvidence(world);
    return { input: { purchaseId }, as: 'operator' };
  },
  addOperatorStatement: async (world) => {
    const { purchaseId } = await newDispute(world);
    return { input: { purchaseId, body: 'Which figure is wrong?' }, as: 'operator' };
  },
  readDisputeAttachment: async (world) => {
    const { buyer: _, ...input } = await newEvidence(world);
    return { input, as: 'operator' };
  },
  shipOrder: async (world) => {
    const { purchaseId } = await world.newSale({ fulfilment: 'physical' });
    return { input: { purchaseId, carrier: 'Parcel', trackingNumber: 'P-1' }, as: 'seller' };
  },
  makeOffer: async (world) => ({
    input: { listingId: await exclusive(world), amountCents: 100 },
    as: 'buyer',
  }),
  createKey: async (world) => {
    const agent = await newcomer(world);
    return { input: { label: 'Night shift', scopes: ['read'] }, as: agent };
  },
  verifyEmail: async (world) => ({ input: { token: await emailToken(world) } }),
  requestRecovery: () => ({ input: { email: 'nobody@example.com', handle: undefined } }),
  openRecovery: async (world) => ({ input: { token: await recoveryToken(world, null) } }),
  completeRecovery: async (world) => ({
    input: { token: await recoveryToken(world, world.market.clock.now()) },
  }),
  rotateKey: newKey,
  revokeKey: newKey,
  getOffer: async (world) => ({ input: { offerId: await newOffer(world) }, as: 'buyer' }),
  withdrawOffer: async (world) => ({ input: { offerId: await newOffer(world) }, as: 'buyer' }),
  acceptOffer: async (world) => ({ input: { offerId: await newOffer(world) }, as: 'seller' }),
  declineOffer: async (world) => ({ input: { offerId: await newOffer(world) }, as: 'seller' }),
  rateListing: async (world) => ({ input: { ...(await world.newSale()), rating: 5 }, as: 'buyer' }),
  listRatings: async (world) => ({ input: { listingId: await world.newListing() } }),

  getInquiryThread: async (world) => ({ input: { inquiryId: (await newInquiry(world)).id } }),
  followUpInquiry: async (world) => ({ input: { inquiryId: (await newInquiry(world)).id } }),
  getAttachment: async (world) => ({ input: { attachmentId: (await newInquiry(world)).attachmentId } }),
  listInquiries: () => ({ input: {}, as: 'operator' }),
  getInquiry: async (world) => ({ input: { inquiryId: (await newInquiry(world)).id }, as: 'operator' }),
  replyToInquiry: async (world) => ({ input: { inquiryId: (await newInquiry(world)).id }, as: 'operator' }),
  closeInquiry: async (world) => ({ input: { inquiryId: (await newInquiry(world)).id }, as: 'operator' }),
  listIdeas: () => ({ input: {}, as: 'operator' }),
  getOverview: () => ({ input: {}, as: 'operator' }),
  getQueueCounts: () => ({ input: {}, as: 'operator' }),
  searchRecords: ({ buyer }) => ({ input: { q: buyer.id }, as: 'operator' }),
  addNote: ({ buyer }) => ({
    input: { subjectType: 'agent', subjectId: buyer.id, note: 'Wrote to us about its bank.' },
    as: 'operator',
  }),
  listMail: () => ({ input: {}, as: 'operator' }),
  listHealthDeclarations: () => ({ input: {}, as: 'operator' }),
  reviewHealthDeclaration: async (world) => ({
    input: { declarationId: await newDeclaration(world) },
    as: 'operator',
  }),
  blockListing: async (world) => {
    // Its seller cannot list the same content again.
    const listingId = await world.newListing({ title: newTitle() });
    return { input: { listingId, blocked: true, rule: 'deception', reason: 'A forgery.' }, as: 'operator' };
  },
  createReport: async (world) => ({
    input: { subjectType: 'listing', subjectId: await world.newListing() },
    as: 'buyer',
  }),
  getReportStatus: async (world) => {
    const subjectId = await world.newListing();
    const report = { subjectType: 'listing', subjectId, reason: 'deception' };
    const { statusUrl } = await world.perform('createReport', report, undefined);
    const token = new URL(String(statusUrl)).hash.replace('#token=', '');
    return { input: { subjectId, token } };
  },
  listReports: async (world) => ({ input: { subjectId: await world.newListing() }, as: 'operator' }),
  getReport: async (world) => ({ input: { caseId: await newCase(world) }, as: 'operator' }),
  decideReport: async (world) => ({
    input: { caseId: await newCase(world), action: 'dismiss', rule: undefined },
    as: 'operator',
  }),
  createAppeal: async (world) => ({ input: { decisionId: await newDecision(world) }, as: 'seller' }),
  decideAppeal: async (world) => {
    const decisionId = await newDecision(world);
    await world.perform('createAppeal', { decisionId, text: 'It is no forgery.' }, world.seller);
    return { input: { caseId: decisionId, outcome: 'upheld' }, as: 'operator' };
  },
  rebuildSearchIndex: () => ({ input: {}, as: 'operator' }),

  exportAnnualTotals: ({ buyer }) => ({ input: { year: 2026, after: buyer.id }, as: 'operator' }),
  setTaxDetails: () => ({ input: { tax: { country: 'DE', taxNumber: 'DE 123 456 789' } } }),
  setDeliveryEndpoint: () => ({ input: { callbackUrl: 'http://localhost:9/deliver' }, as: 'seller' }),
  getClaim: async (world) => ({ input: { token: await claimToken(world) } }),
  // Open top-ups keep their place under the cap of their wallet.
  fundWallet: async ({ perform }) => {
    const agent = await perform('registerAgent', { name: 'Newcomer' });
    return { input: {}, as: agent as unknown as Agent };
  },
  setPayoutGas: async (world) => {
    const agent = await newcomer(world);
    await world.perform('bindPayoutWallet', await signedWallet(world, agent), agent);
    return { input: { bearsGas: true }, as: agent };
  },
  challengePayoutWallet: () => ({ input: { address: newAccount().address }, as: 'seller' }),
  bindPayoutWallet: async (world) => {
    const agent = await newcomer(world);
    return { input: await signedWallet(world, agent), as: agent };
  },
  getPayoutChange: async (world) => ({ input: { changeId: (await newPayoutChange(world)).changeId } }),
  cancelPayoutChange: async (world) => {
    const { changeId, agent } = await newPayoutChange(world);
    return { input: { changeId }, as: agent };
  },
  challengePayer: () => ({
    input: { listingId: crypto.randomUUID(), payer: newAccount().address, paymentNonce: newNonce() },
  }),
  provePayer: async (world) => {
    const account = newAccount();
    const paid = await recordUsdcPayment(world, account.address.toLowerCase());
    const { message } = await world.perform('challengePayer', { ...paid, payer: account.address });
    return { input: { message, signature: await account.signMessage({ message: String(message) }) } };
  },
  changeKeyPolicy: async (world) => {
    const agent = await newcomer(world);
    const { key } = await world.perform('createKey', { label: 'Below', scopes: ['buy'] }, agent);
    return { input: { keyId: (key as { id: string }).id, perDayCents: 500 }, as: agent };
  },
  getKeyBudget: async (world) => {
    const agent = await newcomer(world);
    const { keys } = await world.perform('listKeys', {}, agent);
    return { input: { keyId: (keys as { id: string }[])[0]?.id }, as: agent };
  },
  challengePasskey: async (world) => ({ input: {}, as: await newcomer(world) }),
  enrolPasskey: async (world) => {
    const agent = await newcomer(world);
    const { challenge } = await world.perform('challengePasskey', {}, agent);
    const origin = new URL(TEST_BASE_URL).origin;
    const passkey = await (await createSoftwarePasskey()).enrol({ challenge: String(challenge), origin });
    return { input: { label: 'A phone', passkey }, as: agent };
  },
  mailPasskeyLink: async (world) => {
    const agent = await newcomer(world);
    await verifyAddress(world, agent.id);
    return { input: {}, as: agent };
  },
  removePasskey: async (world) => {
    const agent = await newcomer(world);
    const row = {
      id: crypto.randomUUID(),
      agentId: agent.id,
      label: 'A phone',
      publicKey: 'AA',
      counter: 0,
    } as const;
    const createdAt = new Date(world.market.clock.now()).toISOString();
    await world.market.newPorts().market.commit(insertPasskey({ ...row, enrolledBy: 'key', createdAt }));
    return { input: { passkeyId: row.id }, as: agent };
  },
  getApproval: async (world) => ({ input: { approvalId: await newApproval(world) } }),
  readApprovalQuery: async (world) => ({ input: await ownersApproval(world) }),
  decideApproval: async (world) => ({ input: { ...(await ownersApproval(world)), decision: 'approve' } }),
  claimPayouts: async (world) => ({ input: { token: await claimToken(world) } }),
  claimEndpoint: async (world) => ({
    input: { token: await claimToken(world), callbackUrl: 'http://localhost:9/deliver' },
  }),
  answerDelivery: async ({ market, seller }) => {
    const id = crypto.randomUUID();
    const message = { id, kind: 'delivery_request' as const, body: '{}' };
    void market.newPorts().pollingMailbox.ask(seller.id, message, 1_000_000);
    return { input: { id, data: { answer: 42 } }, as: 'seller' };
  },
};

const operatorIn = async ({ market }: World) => (await newOperator(market, 'viewer')).id;

async function newDeclaration(world: World): Promise<string> {
  const declared = { ...LISTING, title: 'DICOM viewer', notPersonalHealth: true };
  await world.perform('createListing', declared, world.seller);
  const { declarations } = await world.perform('listHealthDeclarations', {}, 'operator');
  return (declarations as { id: string }[])[0]?.id ?? '';
}

const ATTESTED_USE = {
  buyerIntendedUse: ATTESTED.buyer_intended_use,
  buyerAttestation: ATTESTED.buyer_attestation,
};

/** As the jobs record it before they ask the chain. */
async function newPayout({ seller }: World): Promise<string> {
  const id = crypto.randomUUID();
  await testBindings.DB.prepare(
    `INSERT INTO payout_batches (id, seller_id, chain_id, address, amount_cents, status, due_at, created_at)
      VALUES (?, ?, 1, ?, 100, 'sending', '2020-01-01T00:00:00.000Z', '2020-01-01T00:00:00.000Z')`,
  )
    .bind(id, seller.id, `0x${'ab'.repeat(20)}`)
    .run();
  return id;
}

/** As the x402 Worker records it, of a purchase that is there. */
async function recordUsdcPayment(world: World, payer: string) {
  const { listingId, purchaseId } = await world.newSale();
  const paymentNonce = newNonce();
  await testBindings.DB.prepare(
    `INSERT INTO usdc_payments (purchase_id, chain_id, payer, pay_to, units, valid_after, valid_before, nonce, binding)
      VALUES (?, 1, ?, ?, '1', '0', '1', ?, ?)`,
  )
    .bind(purchaseId, payer, payer, paymentNonce, `sha256:${purchaseId}`)
    .run();
  return { listingId, paymentNonce };
}

async function healthData(world: World, fields: Record<string, unknown> = {}): Promise<string> {
  const { listing } = await world.perform('listHealthData', { ...HEALTH_LISTING, ...fields }, world.seller);
  return (listing as { id: string }).id;
}

const ADJUSTMENT = {
  account: 'bank',
  amountCents: 100,
  reason: 'Interest of a month.',
  reference: 'statement 2026-05',
};
const AFFILIATED_RECEIPT = {
  merchant: { id: 'the-shop', name: 'The Shop', siteOrigin: 'https://shop.example.com' },
  description: 'A year of access.',
  amountCents: 4900,
  rail: 'card',
  mode: 'live',
  status: 'paid',
  paidAt: '2026-01-02T03:04:05.000Z',
};

function exclusive(world: World): Promise<string> {
  return world.newListing({ listingType: 'exclusive', priceCents: 500 });
}

async function newOffer(world: World): Promise<string> {
  const offer = { listingId: await exclusive(world), amountCents: 100 };
  return String((await world.perform('makeOffer', offer, world.buyer)).id);
}

async function newDispute(world: World): Promise<{ purchaseId: string; buyer: Agent }> {
  const buyer = await world.newBuyer();
  const { purchaseId } = await world.newSale({}, buyer);
  await world.perform('disputePurchase', { purchaseId, reason: 'Not what was described.' }, buyer);
  return { purchaseId, buyer };
}

async function newEvidence(world: World) {
  const { purchaseId, buyer } = await newDispute(world);
  const file = { filename: 'answer.json', contentType: 'application/json', contentBase64: btoa('{}') };
  const input = { purchaseId, body: 'The answer that I got.', attachments: [file] };
  const { statement } = await world.perform('addDisputeStatement', input, buyer);
  const [attachment] = (statement as { attachments: { id: string }[] }).attachments;
  return { purchaseId, attachmentId: attachment?.id ?? '', buyer };
}

async function newInquiry(world: World): Promise<{ id: string; attachmentId: string }> {
  const { id, attachments } = await world.perform('submitInquiry', {
    subject: 'A question',
    message: 'How?',
    email: 'ada@example.com',
    attachments: [{ filename: 'notes.txt', contentType: 'text/plain', contentBase64: btoa('notes') }],
  });
  return { id: String(id), attachmentId: (attachments as { id: string }[])[0]?.id ?? '' };
}

/** The month of the world's clock, in which the seller sold something. */
async function monthWithSale(world: World): Promise<string> {
  await world.newSale();
  return new Date(world.market.clock.now()).toISOString().slice(0, 7);
}

/** A month that is over and not closed, another one each time. */
async function endedMonth({ market }: World): Promise<string> {
  const { market: db } = market.newPorts();
  const [row] = await db.all<{ first: string | null }>({
    sql: 'SELECT MIN(month) AS first FROM ledger_periods',
    params: [],
  });
  const month = monthBefore(row?.first ?? new Date(market.clock.now()).toISOString().slice(0, 7));
  await db.commit([insertPeriod(month, 0, {})]);
  return month;
}

/** Of a seller who has nothing yet: its first listing is pending, and comes with a link. */
async function newcomer({ perform }: World): Promise<Agent> {
  const { apiKey, id } = await perform('registerAgent', { name: 'Newcomer' });
  return { apiKey: String(apiKey), id: String(id), handle: '' };
}

async function signedWallet({ perform }: World, by: Agent) {
  const account = newAccount();
  const { nonce, message } = await perform('challengePayoutWallet', { address: account.address }, by);
  return { nonce, signature: await account.signMessage({ message: String(message) }) };
}

/** A second wallet, which takes effect later. */
async function newPayoutChange(world: World) {
  const agent = await newcomer(world);
  await world.perform('bindPayoutWallet', await signedWallet(world, agent), agent);
  const { changeId } = await world.perform('bindPayoutWallet', await signedWallet(world, agent), agent);
  return { changeId, agent };
}

const isoAt = (ms: number) => new Date(ms).toISOString();

/** The agent has an address that was verified now. */
async function verifyAddress({ market }: World, agentId: string): Promise<string> {
  const verifiedAt = isoAt(market.clock.now());
  const sql = 'UPDATE agents SET email = ?, email_verified_at = ? WHERE id = ?';
  const params = [`owner-${agentId}@example.com`, verifiedAt, agentId];
  await market.newPorts().market.commit([{ sql, params }]);
  return verifiedAt;
}

async function emailToken(world: World): Promise<string> {
  const agent = await newcomer(world);
  await world.perform('updateAgent', { email: `reader-${agent.id}@example.com` }, agent);
  const id = await testBindings.DB.prepare('SELECT id FROM email_links WHERE agent_id = ?')
    .bind(agent.id)
    .first<string>('id');
  return `${id}.${await world.market.newPorts().keyedHash.token('email_link', String(id))}`;
}

/** Of a recovery that was opened a day before, or not yet. */
async function recoveryToken({ market, perform }: World, effectiveAt: number | null): Promise<string> {
  const { id: agentId } = await perform('registerAgent', { name: 'Without a key' });
  const [id, now] = [crypto.randomUUID(), market.clock.now()];
  const opened = effectiveAt === null ? null : isoAt(effectiveAt);
  await testBindings.DB.prepare(
    `INSERT INTO account_recoveries (id, agent_id, requested_at, link_expires_at, opened_at, effective_at)
      VALUES (?, ?, ?, ?, ?, ?)`,
  )
    .bind(id, agentId, isoAt(now), isoAt(now + 3_600_000), opened, opened)
    .run();
  return `${id}.${await market.newPorts().keyedHash.token('recovery_link', id)}`;
}

/** A key that may be ended, of an agent of its own. */
async function newKey(world: World) {
  const agent = await newcomer(world);
  const { key } = await world.perform('createKey', { label: 'Night shift', scopes: ['read'] }, agent);
  return { input: { keyId: (key as { id: string }).id }, as: agent };
}

async function claimToken(world: World): Promise<string> {
  const { apiKey, id } = await world.perform('registerAgent', { name: 'New seller' });
  const agent = { apiKey: String(apiKey), id: String(id), handle: '' };
  const { claimUrl } = await world.perform('createListing', LISTING, agent);
  return String(claimUrl).split('/').at(-1) ?? '';
}

async function newCase(world: World, listingId?: string): Promise<string> {
  const subjectId = listingId ?? (await world.newListing());
  await world.perform(
    'createReport',
    { subjectType: 'listing', subjectId, reason: 'deception' },
    world.buyer,
  );
  const { cases } = await world.perform('listReports', { subjectId }, 'operator');
  const [found] = (cases as { id: string; subjectId: string }[]).filter((one) => one.subjectId === subjectId);
  return found?.id ?? '';
}

/** A title that no other listing has. Digits alone may look like those of a card. */
const newTitle = () => `Tide tables ${crypto.randomUUID().replaceAll(/\d/g, 'x')}`;

/** A decision about the seller's listing, which it may appeal; another operator's than the one who is tried. */
async function newDecision(world: World): Promise<string> {
  const caseId = await newCase(world, await world.newListing({ title: newTitle() }));
  const { headers } = await newOperator(world.market, 'support');
  const { status } = await world.market.request('POST', `/admin/reports/${caseId}/decision`, {
    body: { action: 'block', rule: 'deception', reason: 'A forgery.' },
    headers,
  });
  if (status !== 200) throw new Error(`The report was not decided: ${status}.`);
  return caseId;
}

/** One, with what the mailed link of its owner has. */
async function ownersApproval(world: World) {
  const approvalId = await newApproval(world);
  const ports = world.market.newPorts();
  const [row] = await ports.market.all<{ agentId: string }>({
    sql: 'SELECT agent_id AS agentId FROM approvals WHERE id = ?',
    params: [approvalId],
  });
  const verifiedAt = await verifyAddress(world, row?.agentId ?? '');
  const link = { purpose: 'approval_mail', id: approvalId, verifiedAt } as const;
  const token = await ownerToken(ports.keyedHash, link);
  return { approvalId, token };
}

/** A purchase of an agent of its own that waits for a person. */
async function newApproval(world: World): Promise<string> {
  const { market, newListing } = world;
  // So many wait for one agent and no more.
  const buyer = await newcomer(world);
  const { ids, market: db, clock } = market.newPorts();
  const [id, listingId] = [ids.uuid(), await newListing({ priceCents: 500 })];
  const asked = { id, agentId: buyer.id, keyId: ids.uuid(), binding: id };
  const what = { listingId, listingVersion: 1, amountCents: 500, query: { city: 'Cork' }, rails: 'wallet' };
  const time = (ms: number) => new Date(clock.now() + ms).toISOString();
  await db.commit(insertApproval({ ...asked, ...what, createdAt: time(0), expiresAt: time(3600_000) }));
  return id;
}
