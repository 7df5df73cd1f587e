import * as z from 'zod';
import type { SignedRefusals } from '../kernel/operation/operation.ts';

const extra = z.object({ name: z.string(), version: z.string() });

export const requirementsOfV1 = z
  .object({
    asset: z.string(),
    description: z.string(),
    extra: extra.describe("Name and version of the token's EIP-712 domain."),
    maxAmountRequired: z.string().describe("In the token's units: a cent is 10000 of USDC."),
    maxTimeoutSeconds: z.int(),
    mimeType: z.string(),
    network: z.string(),
    payTo: z.string(),
    resource: z.url(),
    scheme: z.literal('exact'),
  })
  .meta({ id: 'X402RequirementsV1' });

export const requirementsOfV2 = z
  .object({
    amount: z.string().describe("In the token's units: a cent is 10000 of USDC."),
    asset: z.string(),
    extra: extra.extend({
      challenge: z
        .string()
        .optional()
        .describe('Send it back as it is. A payment that is sent again brings data only with the same one.'),
    }),
    maxTimeoutSeconds: z.int(),
    network: z.string(),
    payTo: z.string(),
    scheme: z.literal('exact'),
  })
  .meta({ id: 'X402RequirementsV2' });

/** 402 has the form that x402 gives it; everything else stays a problem. */
export const x402Refusals: SignedRefusals = {
  kinds: ['payment_required'],
  output: z.object({
    accepts: z.array(requirementsOfV1),
    error: z.string().describe("Of a refused payment: the specification's reason code."),
    x402Version: z.literal(1),
  }),
  async answer(refusal) {
    const { ownForm } = refusal.details;
    return ownForm === undefined ? null : { refusal, body: ownForm };
  },
};
