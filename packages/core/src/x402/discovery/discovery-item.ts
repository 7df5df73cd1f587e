import { BRAND } from '@agent-marketplace/protocol/brand.ts';
import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import * as z from 'zod';
import { jsonValue } from '../../kernel/json/json-schema.ts';
import type { Chain } from '../../kernel/ports/chain.ts';
import { priceMicros } from '../../listings/index.ts';
import { bazaar, indexTags, OFFER_RECEIPT } from '../extensions.rules.ts';
import { networkName, requirementsV1, requirementsV2, unitsOf } from '../terms.rules.ts';
import { requirementsOfV1, requirementsOfV2 } from '../x402.schema.ts';
import type { Payable } from './discovery.store.ts';

export const discoveryItem = z
  .object({
    accepts: z.array(z.union([requirementsOfV2, requirementsOfV1])),
    description: z.string(),
    extensions: z
      .object({ bazaar: jsonValue, 'offer-receipt': jsonValue, 'payment-identifier': jsonValue })
      .describe(
        'What its terms have. `bazaar` is an example of the call and, where there is one, of the output.',
      ),
    lastUpdated: z.iso.datetime(),
    metadata: z.object({
      description: z.string(),
      exampleQuery: jsonValue.describe('What its parameters may be.'),
      inputSchema: jsonValue,
      listingId: z.uuid(),
      method: z.literal('GET'),
      outputSchema: jsonValue,
      priceMicros,
      title: z.string(),
      vertical: z.string(),
    }),
    mimeType: z.literal('application/json'),
    resource: z.url(),
    serviceName: z.string(),
    tags: z.array(z.string()),
    type: z.literal('http'),
    x402Version: z.int(),
  })
  .meta({ id: 'X402Resource' });

const text = z.string().max(64).optional();

/** What reference indexes filter by. All of it is the same for everything that is sold here. */
export const discoveryFilters = {
  type: z.literal('http').optional().describe('There are no others.'),
  payTo: text.describe('The account that is paid.'),
  scheme: text.describe('`exact`; nothing has another.'),
  network: text.describe('As version 1 or 2 of x402 calls it.'),
  extensions: text.describe('An extension that its terms have.'),
};

type Filters = { readonly [Name in 'payTo' | 'scheme' | 'network' | 'extensions']?: string | undefined };

const EXTENSIONS: readonly string[] = ['bazaar', OFFER_RECEIPT, 'payment-identifier'];

/** Whether these filters leave everything in; otherwise they leave nothing. */
export function matchesFilters(
  { payTo: account, scheme, network, extensions }: Filters,
  { token, payTo }: Pick<Chain, 'token' | 'payTo'>,
): boolean {
  const networks = [networkName(token.chainId, 1), networkName(token.chainId, 2)];
  return (
    (account === undefined || account.toLowerCase() === payTo.toLowerCase()) &&
    (scheme === undefined || scheme === 'exact') &&
    (network === undefined || networks.includes(network)) &&
    (extensions === undefined || EXTENSIONS.includes(extensions))
  );
}

/** A listing as indexes of what can be paid for show it. Null: in both versions, the newer first. */
export function discoveryItemOf(
  one: Payable,
  { token, payTo }: Pick<Chain, 'token' | 'payTo'>,
  baseUrl: string,
  version: 1 | 2 | null,
): z.output<typeof discoveryItem> {
  const resource = `${baseUrl}/x402/listings/${one.id}/query`;
  const terms = { units: unitsOf(one.priceCents), token, payTo, resource, description: one.title };
  const { info } = bazaar(one) as { info: JsonObject };
  return {
    accepts: [
      ...(version === 1 ? [] : [requirementsV2(terms)]),
      ...(version === 2 ? [] : [requirementsV1(terms)]),
    ],
    description: one.title,
    extensions: {
      bazaar: { info },
      'offer-receipt': {},
      'payment-identifier': { info: { required: false } },
    },
    lastUpdated: one.lastUpdated,
    metadata: {
      description: one.description,
      exampleQuery: one.exampleQuery,
      inputSchema: one.inputSchema,
      listingId: one.id,
      method: 'GET',
      outputSchema: one.outputSchema,
      priceMicros: one.priceMicros,
      title: one.title,
      vertical: one.verticalSlug,
    },
    mimeType: 'application/json',
    resource,
    serviceName: BRAND.platform,
    tags: indexTags(one),
    type: 'http',
    x402Version: version ?? 2,
  };
}
