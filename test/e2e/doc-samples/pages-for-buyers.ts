import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { wrapFetchWithPayment } from 'x402-fetch';
import { freePort } from '../free-port.ts';
import type { PreparePage } from './page-under-test.ts';
import { keepSignedPost } from './signed-post.ts';
import type { World } from './world.ts';

/** In units of USDC: enough for what a page buys. */
const POCKET_UNITS = 20_000_000n;

async function newPayer({ market }: World) {
  const privateKey = generatePrivateKey();
  const account = privateKeyToAccount(privateKey);
  await market.chain?.control.mint(account.address, POCKET_UNITS);
  return { privateKey, account };
}

/** What the reference client of version 1 sends as payment. */
async function signPayment(url: string, account: PrivateKeyAccount): Promise<string> {
  let payment = '';
  const keepPayment: typeof fetch = async (input, init) => {
    payment = new Request(input, init).headers.get('x-payment') ?? '';
    return payment === '' ? fetch(input, init) : new Response('{}');
  };
  await wrapFetchWithPayment(keepPayment, account as never, POCKET_UNITS)(url);
  return payment;
}

export const PAGES_FOR_BUYERS: Readonly<Record<string, PreparePage>> = {
  'docs/buy.md': async (world) => {
    const seller = await world.newSeller();
    const priced = await world.list(seller, {});
    const exclusive = await world.list(seller, {
      title: 'All the tables of one coast',
      listingType: 'exclusive',
      priceCents: 10_000,
    });
    const { privateKey, account } = await newPayer(world);
    return {
      variables: {
        OTHER: await world.list(seller, { title: 'Tide tables of another coast' }),
        PAYER_KEY: privateKey,
        ADDRESS: account.address,
        CHAIN: world.market.chain?.url ?? '',
      },
      before: [
        [/wallet\/fund/, `LISTING=${priced}`],
        [/\/offers/, `LISTING=${exclusive}`],
        [/\/rate/, `LISTING=${priced}`],
      ],
      refusals: /^HTTP 402 .*\/x402\/listings\//,
      prints: [
        /"inputSchema"/,
        /"titles"/,
        /"balanceCents": 5000/,
        /"enabled":true/,
        /"status": "held"/,
        /"harbour": "Brest"/,
        /"maxAmountRequired": "900000"/,
        /"purchaseId": "/,
        /^"?withdrawn"?$/m,
        /"openedAt":"/,
        /"average": 5/,
        /^Signature Verified Successfully$/m,
        /(\{"valid":true,"digestValid":(true|null),"signatureValid":true,"keyStatus":"active"\}\n[^{]*){3}/,
        /Please pay: http/,
        /transaction/,
      ],
    };
  },

  'docs/pay-per-query.md': async (world) => ({
    variables: { LISTING: await world.list(await world.newSeller(), {}) },
    refusals: /^HTTP 402 .*\/x402\/listings\//,
    prints: [/"x402Version":1[\s\S]*"x402Version":1/],
  }),

  'docs/paid-tool-calls.md': async (world) => {
    const listing = await world.list(await world.newSeller(), {});
    const { privateKey } = await newPayer(world);
    return {
      variables: { LISTING: listing, PAYER_KEY: privateKey },
      prints: [/type: 'purchase_receipt'/, /transaction: '0x[0-9a-f]{64}'/],
    };
  },

  'docs/x402.md': async (world) => {
    const listing = await world.list(await world.newSeller(), {});
    const { account } = await newPayer(world);
    const url = `${world.market.baseUrl}/x402/listings/${listing}/query?city=Brest`;
    return {
      variables: { LISTING: listing },
      before: [[/X-PAYMENT/, async () => `PAYMENT=${await signPayment(url, account)}`]],
      refusals: /^HTTP 402 .*\/x402\/listings\//,
      prints: [/"x402Version":1/, /^payment-response: /im, /"type":"purchase_receipt"/],
    };
  },

  'docs/mpp.md': async (world) => {
    const listing = await world.list(await world.newSeller(), {});
    const { privateKey } = await newPayer(world);
    return {
      variables: { LISTING: listing, PAYER_KEY: privateKey },
      refusals: /^HTTP 402 .*\/x402\/listings\//,
      prints: [/type: 'purchase_receipt'/, / 0x[0-9a-f]{64}$/m],
    };
  },

  'docs/health-data.md': async (world) => {
    const seller = await world.newSeller();
    const buyer = await world.newBuyer();
    return {
      variables: { KEY: seller.apiKey },
      before: [
        [
          /\/purchase /,
          `LISTING=$(curl -s "$BASE/health-data/listings?q=pulse" | jq -r '.listings[0].id') KEY=${buyer.apiKey}`,
        ],
      ],
      prints: [/"consent":\{"record"/, /"type":"health_attestation"/],
    };
  },

  'packages/sdk/README.md': async (world) => {
    const seller = await world.newSeller();
    const { privateKey } = await newPayer(world);
    return {
      variables: {
        KEY: (await world.newBuyer()).apiKey,
        LISTING: await world.list(seller, {}),
        ORDER: 'order-4711-of-the-samples',
        PAYER_KEY: privateKey,
      },
      standIns: { '9000': String(await freePort()) },
      prints: [/type: 'purchase_receipt'/, /"harbour":"Brest"/, /0x[0-9a-f]{64}/, /delivered/],
    };
  },

  'packages/cli/README.md': async (world) => {
    const seller = await world.newSeller();
    return {
      variables: { LISTING: await world.list(seller, {}) },
      prints: [/valid/],
    };
  },

  'docs/cli.md': async (world) => {
    const seller = await world.newSeller();
    const priced = await world.list(seller, {});
    const buyer = await world.newBuyer();
    const endpoint = await world.newEndpoint();
    const { callbackUrl, text } = await keepSignedPost(world);
    const listing = { title: 'Tides', description: 'Computed.', preview: { days: 1 }, priceCents: 0 };
    return {
      variables: { LISTING: world.examples['time-zones'] ?? '' },
      standIns: {
        'https://seller.example.com/deliver': endpoint.callbackUrl,
        'https://seller.example/deliver': callbackUrl,
      },
      before: [
        [/wallet fund/, `LISTING=${priced}`],
        [/wallet recharge/, async () => world.settled().then(() => ':')],
        [
          /\$SENT/,
          'SENT=$(od -An -N16 -tx1 /dev/urandom | tr -d " \\n"); agent-market buy $LISTING --max-price-cents 90 --idempotency-key $SENT',
        ],
        [
          /purchases collect/,
          'agent-market buy $LISTING --pay link --yes --json > link.json; PURCHASE=$(jq -r .id link.json); cat link.json',
        ],
        [/listings create/, `echo '${JSON.stringify(listing)}' > listing.json`],
        [
          /listings edit/,
          'LISTING=$(agent-market listings --json | jq -r \'.listings[] | select(.status == "active").id\')',
        ],
        [
          /orders ship/,
          async ({ folder }) => {
            const file = await readFile(join(folder, '.config/agent-market/config.json'), 'utf8');
            const client = world.anyone.withApiKey(JSON.parse(file).profiles.default.apiKey);
            await world.connectPayouts(client);
            const listingId = await world.list({ client, apiKey: '' }, { fulfilment: 'physical' });
            return `PURCHASE=${(await buyer.client.purchaseListing({ listingId, paymentMethod: 'wallet' })).id}`;
          },
        ],
        [
          /\$KEY_ID/,
          'KEY_ID=$(agent-market keys --json | jq -r \'.keys[] | select(.label == "night shift").id\')',
        ],
        [
          /message\.http/,
          async ({ folder }) => {
            await writeFile(join(folder, 'message.http'), text);
            return 'agent-market door enter --class COMMERCE --side buy --once --json > admission.json';
          },
        ],
        [/key\.txt/, `echo ${buyer.apiKey} > key.txt`],
      ],
      prints: [/Lisbon/, /Brest/, /valid/],
    };
  },
};
