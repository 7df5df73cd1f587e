import { aboutMarketplace } from '../about/index.ts';
import { getAgent, getOwnAgent, listAgents, readInbox, registerAgent, sendMessage } from '../agents/index.ts';
import { listCategories, listVerticals } from '../catalogue/index.ts';
import { decideDispute, disputePurchase, listDisputes, shipOrder } from '../escrow/index.ts';
import { getFees, getMeta } from '../fees/index.ts';
import type { AnyOperation } from '../kernel/operation.ts';
import { getReconciliation } from '../ledger/index.ts';
import {
  browseListings,
  createListing,
  deactivateListing,
  getListing,
  getListingHistory,
  getVertical,
  updateListing,
} from '../listings/index.ts';
import { getSigningKey, verifyReceipt } from '../provenance/index.ts';
import {
  acceptOffer,
  bulkPurchase,
  declineOffer,
  getOffer,
  getPurchase,
  makeOffer,
  purchaseListing,
} from '../purchases/index.ts';
import { listRatings, rateListing } from '../ratings/index.ts';
import {
  answerDelivery,
  claimEndpoint,
  getClaim,
  getEarnings,
  getSellerDashboard,
  listDeliveries,
  registerSeller,
  setDeliveryEndpoint,
} from '../selling/index.ts';
import {
  configureAutoRecharge,
  fundWallet,
  getWalletBalance,
  listWalletTransactions,
  setupPaymentMethod,
} from '../wallet/index.ts';

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
  purchaseListing,
  bulkPurchase,
  getPurchase,
  disputePurchase,
  makeOffer,
  getOffer,
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
  listDeliveries,
  answerDelivery,
  shipOrder,
  acceptOffer,
  declineOffer,
  getSellerDashboard,
  getEarnings,
  listDisputes,
  decideDispute,
  getReconciliation,
  getMeta,
  getFees,
  getSigningKey,
  verifyReceipt,
];
