import { authenticationRules } from './authentication.ts';
import { payPerQuery, purchasing, sellingEndpoints, walletEndpoints } from './dealings.ts';
import { agentEndpoints, browsing, conventions, listingEndpoints } from './endpoints.ts';
import { errors } from './errors.ts';
import { events } from './events.ts';
import { limitTable, versions } from './limits.ts';
import { listing } from './listing.ts';
import { ingressEndpoints, inquiryEndpoints, provenanceEndpoints, statsEndpoints } from './public.ts';
import {
  affiliatedRail,
  demandLedger,
  ingressRecords,
  inquiryRecords,
  metaRecord,
  platformStats,
} from './records.ts';
import { agent, previewAndVertical, purchase, rating, receipts, sellerRecords } from './resources.ts';
import type { Section } from './section.ts';
import { feeSchedule, whatTheServiceDoes } from './service.ts';
import { endpointStates, ingressStates, listingStates, saleStates } from './states.ts';
import { healthData, mcpInterface, toolTable } from './tools.ts';

/** Every clause of the specification of the interface, in its order. */
export const sections = [
  whatTheServiceDoes,
  feeSchedule,
  receipts,
  agent,
  listing,
  previewAndVertical,
  purchase,
  rating,
  sellerRecords,
  demandLedger,
  affiliatedRail,
  inquiryRecords,
  ingressRecords,
  platformStats,
  metaRecord,
  listingStates,
  saleStates,
  ingressStates,
  endpointStates,
  conventions,
  agentEndpoints,
  browsing,
  listingEndpoints,
  purchasing,
  sellingEndpoints,
  walletEndpoints,
  payPerQuery,
  provenanceEndpoints,
  statsEndpoints,
  inquiryEndpoints,
  ingressEndpoints,
  mcpInterface,
  toolTable,
  healthData,
  authenticationRules,
  events,
  errors,
  limitTable,
  versions,
] as const satisfies readonly Section[];

/** A clause that is not there is found by the compiler. */
export type ClauseId = (typeof sections)[number]['clauses'][number]['id'];
