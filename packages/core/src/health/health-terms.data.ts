/**
 * What sellers and buyers of personal health data put their names to. Signed records name a version and a
 * digest of these texts: a changed text is a new version, and the old one stays in the history of this file.
 */
export const HEALTH_TERMS = {
  version: 1,
  consent: {
    ownsData: 'I own this data or have the right to sell it.',
    dataIsOwn: 'This data is about me.',
    containsOnlyOwn: 'It contains no health data of any other person.',
    notCoveredEntity:
      'I sell as an individual, and not as, or on behalf of, a health care provider, health plan, clearinghouse or ' +
      'business associate of one.',
    saleTermsAccepted:
      'I agree that copies are sold one query at a time to buyers who attest to their use, that a delivered copy ' +
      'cannot be called back, and that I can end further sales at any time.',
    allowsResearch: 'It may be used for research.',
    allowsCommercial: 'It may be used commercially.',
    allowsAiTraining: 'It may be used to train AI models.',
    waMhmdaAuthorization:
      'Washington: I authorize the sale of my consumer health data as the My Health My Data Act requires. I may revoke ' +
      'this at any time by taking the listing off the market.',
    ilGipaAuthorization:
      'Illinois: I authorize the disclosure of my genetic information as the Genetic Information Privacy Act requires.',
    caCcpaAcknowledgment:
      'California: I know my rights over sensitive personal information under the California Consumer Privacy Act, and ' +
      'sell this of my own will.',
  },
  attestation: {
    notForInsurance: 'I will not use this data for decisions on insurance.',
    notForEmployment: 'I will not use it for decisions on employment.',
    notForDiscrimination: 'I will not use it to discriminate against anyone.',
    noReidentification: 'I will not try to find out whose data it is, nor let others try.',
    acceptUseTerms: 'I use it for the use I name and for nothing that its seller did not authorize.',
  },
} as const;

/** Clause: MCP, health subcategory values. */
export const HEALTH_SUBCATEGORIES = [
  'body-composition',
  'blood-work',
  'imaging',
  'genetic-data',
  'wearable-exports',
  'dental-records',
  'vision-records',
  'vaccination-records',
  'other-health-data',
] as const;

/** Clause: MCP, health data_format values. */
export const HEALTH_DATA_FORMATS = ['PDF', 'CSV', 'DICOM', 'JSON', 'Image', 'ZIP', 'Other'] as const;

/**
 * The fifty states, and the District of Columbia, whose residents are counted with them. The territories are
 * no states: their law is not among the add-ons, so nothing is accepted from there.
 */
export const US_STATES = [
  ...['AL', 'AK', 'AZ', 'AR', 'CA', 'CO', 'CT', 'DE', 'DC', 'FL', 'GA', 'HI', 'ID', 'IL', 'IN', 'IA', 'KS'],
  ...['KY', 'LA', 'ME', 'MD', 'MA', 'MI', 'MN', 'MS', 'MO', 'MT', 'NE', 'NV', 'NH', 'NJ', 'NM', 'NY', 'NC'],
  ...['ND', 'OH', 'OK', 'OR', 'PA', 'RI', 'SC', 'SD', 'TN', 'TX', 'UT', 'VT', 'VA', 'WA', 'WV', 'WI', 'WY'],
] as const;
