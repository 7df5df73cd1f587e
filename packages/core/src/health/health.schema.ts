import * as z from 'zod';
import { lineOf } from '../kernel/text-schema.ts';
import { signedStatementOf } from '../provenance/index.ts';
import { AUTHORIZED_USES, isName } from './consent.rules.ts';
import { HEALTH_DATA_FORMATS, HEALTH_SUBCATEGORIES, HEALTH_TERMS, US_STATES } from './health-terms.data.ts';
import { INTENDED_USES } from './intended-use.rules.ts';

export const subcategory = z.enum(HEALTH_SUBCATEGORIES).meta({ id: 'HealthSubcategory' });
export const dataFormat = z.enum(HEALTH_DATA_FORMATS);
const deidentificationLevel = z.enum(['full_identified', 'name_removed']);
const texts = HEALTH_TERMS.consent;

/** Clause: health consent object. Members that it does not know are refused: nobody signs for them. */
export const healthConsent = z.strictObject({
  ownsData: z.literal(true).describe(texts.ownsData),
  dataIsOwn: z.literal(true).describe(texts.dataIsOwn),
  containsOnlyOwn: z.literal(true).describe(texts.containsOnlyOwn),
  notCoveredEntity: z.literal(true).describe(texts.notCoveredEntity),
  saleTermsAccepted: z.literal(true).describe(texts.saleTermsAccepted),
  allowsResearch: z
    .boolean()
    .default(false)
    .describe(`${texts.allowsResearch} At least one use must be allowed.`),
  allowsCommercial: z.boolean().default(false).describe(texts.allowsCommercial),
  allowsAiTraining: z.boolean().default(false).describe(texts.allowsAiTraining),
  deidentificationLevel,
  signerLegalName: lineOf(200, 2)
    .refine(isName, 'A name, in letters.')
    .describe('Your legal name, typed: it is your signature. Kept with the record and never published.'),
  sellerState: z.enum(US_STATES).describe('Where you live: one of the fifty states, or DC.'),
  waMhmdaAuthorization: z.boolean().default(false).describe(`Required in WA. ${texts.waMhmdaAuthorization}`),
  ilGipaAuthorization: z
    .boolean()
    .default(false)
    .describe(`Required in IL for genetic-data. ${texts.ilGipaAuthorization}`),
  caCcpaAcknowledgment: z.boolean().default(false).describe(`Required in CA. ${texts.caCcpaAcknowledgment}`),
});

export type HealthConsent = z.output<typeof healthConsent>;

/** The signed record of a consent: everything that was agreed to, and its signer's name only as a digest. */
export const consentRecord = signedStatementOf(
  z.object({
    authorizations: z
      .object({
        caCcpaAcknowledgment: z.boolean(),
        ilGipaAuthorization: z.boolean(),
        waMhmdaAuthorization: z.boolean(),
      })
      .describe('Of the state of the seller, where it asks for one.'),
    authorizedUses: z.array(z.enum(AUTHORIZED_USES)),
    containsOnlyOwn: z.literal(true),
    dataDate: z.string().nullable(),
    dataFormat,
    dataIsOwn: z.literal(true),
    deidentificationLevel,
    fingerprint: z.string().describe('Of the listing as it was consented to: version 1 of its history.'),
    listingId: z.uuid(),
    notCoveredEntity: z.literal(true),
    ownsData: z.literal(true),
    retainUntil: z.iso.datetime(),
    saleTermsAccepted: z.literal(true),
    sellerId: z.uuid(),
    sellerState: z.string(),
    signedAt: z.iso.datetime(),
    signerNameDigest: z
      .string()
      .describe('sha256:<hex> over `<salt>.<legal name>`; only the signer is given the salt.'),
    subcategory,
    termsDigest: z.string().describe('sha256:<hex> over the RFC 8785 form of the terms of this version.'),
    termsVersion: z.int(),
    type: z.literal('health_consent'),
  }),
).meta({ id: 'HealthConsentRecord' });

/** Kept with the purchase, and shown to both of its sides. */
export const healthAttestation = signedStatementOf(
  z.object({
    acceptUseTerms: z.literal(true),
    attestedAt: z.iso.datetime(),
    authorizedUses: z.array(z.string()),
    buyer: z.string().nullable().describe("The buyer's pseudonym."),
    fingerprint: z.string(),
    intendedUse: z.enum(INTENDED_USES),
    listingId: z.uuid(),
    listingVersion: z.int(),
    noReidentification: z.literal(true),
    notForDiscrimination: z.literal(true),
    notForEmployment: z.literal(true),
    notForInsurance: z.literal(true),
    purchaseId: z.uuid(),
    sellerId: z.uuid(),
    termsDigest: z.string(),
    termsVersion: z.int(),
    type: z.literal('health_attestation'),
  }),
).meta({ id: 'HealthAttestation' });

export type ConsentRecord = z.output<typeof consentRecord>;
export type HealthAttestation = z.output<typeof healthAttestation>;
