import { aboutMarketplace } from '../about/index.ts';
import {
  configureDesignations,
  limitPurchases,
  listDesignations,
  listSmokeTests,
  recordAffiliatedReceipt,
  removeSmokeTest,
  setDesignation,
} from '../admin/index.ts';
import { getAgent, getOwnAgent, listAgents, readInbox, registerAgent, sendMessage } from '../agents/index.ts';
import { listCategories, listVerticals } from '../catalogue/index.ts';
import { getDemandLedger, verifyAffiliatedReceipt } from '../demand/index.ts';
import { decideDispute, disputePurchase, listDisputes } from '../disputes/index.ts';
import { getFees, getMeta } from '../fees/index.ts';
import {
  getHealthConsent,
  getHealthTerms,
  listHealthAttestations,
  listHealthData,
  searchHealthData,
} from '../health/index.ts';
import {
  closeInquiry,
  followUpInquiry,
  getAttachment,
  getInquiry,
  getInquiryThread,
  listIdeas,
  listInquiries,
  replyToInquiry,
  submitIdea,
  submitInquiry,
} from '../inquiries/index.ts';
import type { AnyOperation } from '../kernel/operation/operation.ts';
import { closeLedgerPeriod, exportPostings, getReconciliation, listLedgerPeriods } from '../ledger/index.ts';
import {
  browseListings,
  createListing,
  deactivateListing,
  getListing,
  getListingHistory,
  getVertical,
  updateListing,
} from '../listings/index.ts';
import { listMail } from '../mail/index.ts';
import { acceptOffer, declineOffer, getOffer, makeOffer, withdrawOffer } from '../offers/index.ts';
import { getSigningKey, verifyReceipt } from '../provenance/index.ts';
import { bulkPurchase, getPurchase, getPurchaseLink, purchaseListing } from '../purchases/index.ts';
import { listRatings, rateListing } from '../ratings/index.ts';
import { shipOrder } from '../sales/index.ts';
import { rebuildSearchIndex } from '../search/index.ts';
import {
  answerDelivery,
  bindPayoutWallet,
  challengePayoutWallet,
  claimEndpoint,
  claimPayouts,
  getClaim,
  getEarnings,
  getSellerDashboard,
  listDeliveries,
  registerSeller,
  setDeliveryEndpoint,
} from '../selling/index.ts';
import {
  getAnnualTotals,
  getStatement,
  getStatementFile,
  listAnnualTotals,
  listPurchaseDocuments,
  listStatements,
} from '../statements/index.ts';
import { getBroadcast, getMarketplaceStats, getStats } from '../stats/index.ts';
import {
  configureAutoRecharge,
  fundWallet,
  getWalletBalance,
  listWalletTransactions,
  setupPaymentMethod,
} from '../wallet/index.ts';
import { challengePayer, provePayer } from '../x402/index.ts';

/** What the public API Worker serves. Adding an operation is one file and one line here. */
export const apiOperations: readonly AnyOperation[] = [
  aboutMarketplace,
  registerAgent,
  listAgents,
  getOwnAgent,
  getAgent,
  sendMessage,
  readInbox,
  listCategories,
  listVerticals,
  getVertical,
  browseListings,
  getListing,
  getListingHistory,
  createListing,
  updateListing,
  deactivateListing,
  searchHealthData,
  listHealthData,
  getHealthConsent,
  getHealthTerms,
  listHealthAttestations,
  purchaseListing,
  bulkPurchase,
  getPurchase,
  getPurchaseLink,
  challengePayer,
  provePayer,
  listPurchaseDocuments,
  disputePurchase,
  makeOffer,
  getOffer,
  withdrawOffer,
  rateListing,
  listRatings,
  getWalletBalance,
  fundWallet,
  listWalletTransactions,
  setupPaymentMethod,
  configureAutoRecharge,
  registerSeller,
  setDeliveryEndpoint,
  getClaim,
  claimEndpoint,
  claimPayouts,
  challengePayoutWallet,
  bindPayoutWallet,
  listDeliveries,
  answerDelivery,
  shipOrder,
  acceptOffer,
  declineOffer,
  getSellerDashboard,
  getEarnings,
  listStatements,
  getStatement,
  getStatementFile,
  getAnnualTotals,
  listDisputes,
  decideDispute,
  getReconciliation,
  listLedgerPeriods,
  closeLedgerPeriod,
  exportPostings,
  listAnnualTotals,
  submitInquiry,
  getInquiryThread,
  followUpInquiry,
  getAttachment,
  submitIdea,
  listInquiries,
  getInquiry,
  replyToInquiry,
  closeInquiry,
  listIdeas,
  listMail,
  rebuildSearchIndex,
  limitPurchases,
  listDesignations,
  setDesignation,
  configureDesignations,
  recordAffiliatedReceipt,
  listSmokeTests,
  removeSmokeTest,
  getStats,
  getMarketplaceStats,
  getDemandLedger,
  verifyAffiliatedReceipt,
  getBroadcast,
  getMeta,
  getFees,
  getSigningKey,
  verifyReceipt,
];
