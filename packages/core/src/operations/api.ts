import { aboutMarketplace } from '../about/index.ts';
import { getAgent, getOwnAgent, listAgents, readInbox, registerAgent, sendMessage } from '../agents/index.ts';
import { listCategories, listVerticals } from '../catalogue/index.ts';
import { getFees, getMeta } from '../fees/index.ts';
import type { AnyOperation } from '../kernel/operation.ts';
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
import { getPurchase, purchaseListing } from '../purchases/index.ts';
import {
  answerDelivery,
  claimEndpoint,
  getClaim,
  listDeliveries,
  registerSeller,
  setDeliveryEndpoint,
} from '../selling/index.ts';

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
  getPurchase,
  registerSeller,
  setDeliveryEndpoint,
  getClaim,
  claimEndpoint,
  listDeliveries,
  answerDelivery,
  getMeta,
  getFees,
  getSigningKey,
  verifyReceipt,
];
