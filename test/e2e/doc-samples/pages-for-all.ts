import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { samplesOf } from '@agent-marketplace/devkit/doc-samples/samples-of.ts';
import { REPOSITORY } from '@agent-marketplace/devkit/repository.ts';
import { createMarketplaceClient } from '@agent-marketplace/sdk';
import { expect } from 'vitest';
import { freePort } from '../free-port.ts';
import { startWeatherApi } from '../weather-api.ts';
import type { PreparePage } from './page-under-test.ts';

const VERIFIED = /^Signature Verified Successfully$/m;

export const PAGES_FOR_ALL: Readonly<Record<string, PreparePage>> = {
  'README.md': async () => ({ prints: [/"contentDigest":"/, /"type":"purchase_receipt"/] }),

  'docs/README.md': async (world) => {
    const port = await freePort();
    const weather = await startWeatherApi(null);
    return {
      variables: { PORT: String(await freePort()) },
      standIns: { '9000': String(port), 'https://weather.example/openapi.json': weather.documentUrl },
      prints: [
        /"contentDigest": "sha256:/,
        /"buyerLabel": "/,
        /Planets/,
        /^The gateway listens/m,
        /^true \{/m,
      ],
      async check() {
        await weather.close();
        const anyone = createMarketplaceClient({ baseUrl: world.market.baseUrl, retries: 0 });
        const seller = anyone.withApiKey((await anyone.registerSeller({ name: 'Greeter' })).apiKey ?? '');
        await seller.setDeliveryEndpoint({ callbackUrl: `http://localhost:${port}/deliver` });
        const { listing } = await seller.createListing({
          title: 'A greeting',
          description: 'It greets you by your name.',
          preview: {},
          priceCents: 0,
          consent: true,
        });
        const bought = await anyone.purchaseListing({ listingId: listing.id, query: { name: 'Ada' } });
        expect(bought.content).toMatchObject({ greeting: 'Hello, Ada.' });
      },
    };
  },

  'docs/agents.md': async () => ({
    programPrints: /^key\.created /m,
    prints: [/"text": "Do you have Brest as well\?"/, /"label": "night shift"/, /^id: \d/m],
  }),

  'docs/transparency.md': async ({ folder }) => ({
    before: [[/\.state\/log/, `ln -s ${folder}/.state .state`]],
    prints: [
      /^localhost\/api\/log$/m,
      /^localhost\/api\/log\+[0-9a-f]{8}\+/m,
      /^quorum club$/m,
      /^— club\.example\/witness \S+$/m,
      /only grew: 0 to \d+ entries, cosigned by club at /,
    ],
  }),
  'docs/protocol.md': async () => ({ prints: [VERIFIED] }),
  'docs/ingress.md': async () => ({ prints: [VERIFIED] }),
  'docs/inquiries.md': async () => ({ prints: [/"followUp":"/] }),

  'docs/mcp.md': async () => {
    const page = readFileSync(join(REPOSITORY, 'docs/mcp.md'), 'utf8');
    const [printed] = samplesOf(page, 'text');
    return {
      prints: [],
      check: async ({ output }) => expect(output).toContain(printed?.text),
    };
  },
};
