import * as z from 'zod';

const callbackType = z.enum(['webhook', 'polling', 'mcp']);

/** What a seller says of its delivery endpoint. */
export const endpointFields = {
  callbackUrl: z
    .string()
    .max(2048)
    .describe('Public https; redirects are never followed. With `polling` it is never called.'),
  callbackType: callbackType
    .default('webhook')
    .describe(
      '`webhook`: signed POSTs. `polling`: you fetch with GET /sell/deliveries and answer with POST ' +
        '/sell/deliveries/{id}. `mcp`: an MCP server, whose tool `deliver` is called.',
    ),
};

export const verifiedEndpoint = z
  .object({
    activatedListings: z.array(z.uuid()).describe('Listings that were pending and are live now.'),
    callbackType,
    callbackUrl: z.string(),
    verified: z.literal(true),
    verifiedAt: z.iso.datetime(),
  })
  .meta({ id: 'VerifiedEndpoint' });
