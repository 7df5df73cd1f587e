import type { RegisteredAgent } from './new-seller.ts';
import { readSigned } from './read-signed.ts';
import type { TestMarketplace } from './workers-harness.ts';

export const SIGNER = 'Josephine Q. Example';

/** Whole, for a state that asks for nothing more. */
export const HEALTH_CONSENT = {
  ownsData: true,
  dataIsOwn: true,
  containsOnlyOwn: true,
  notCoveredEntity: true,
  saleTermsAccepted: true,
  allowsResearch: true,
  allowsCommercial: false,
  allowsAiTraining: false,
  deidentificationLevel: 'name_removed',
  signerLegalName: SIGNER,
  sellerState: 'OR',
};

export const HEALTH_LISTING = {
  title: 'Two years of resting pulse',
  description: 'One value a day, from a wrist sensor.',
  preview: { columns: ['day', 'bpm'] },
  priceCents: 2500,
  subcategory: 'wearable-exports',
  dataFormat: 'CSV',
  consent: HEALTH_CONSENT,
};

/** What a buyer of health data sends, by wire name. */
export const ATTESTED = {
  buyer_intended_use: 'academic_research',
  buyer_attestation: {
    acceptUseTerms: true,
    noReidentification: true,
    notForDiscrimination: true,
    notForEmployment: true,
    notForInsurance: true,
  },
};

/** Lists health data through the front door. Returns its id. */
export async function newHealthListingOf(
  market: TestMarketplace,
  seller: RegisteredAgent,
  fields: Record<string, unknown> = {},
): Promise<string> {
  const body = { ...HEALTH_LISTING, ...fields };
  const response = await market.request('POST', '/health-data/listings', { body, apiKey: seller.apiKey });
  if (response.status !== 201) throw new Error(await response.text());
  return ((await readSigned(response)).body.listing as { id: string }).id;
}
