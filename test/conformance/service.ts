import { publishPlatformListings } from '@agent-marketplace/core/platform/index.ts';
import { sellerOf } from '@agent-marketplace/core/testing/doubles/fake-seller-endpoint.ts';
import { readSigned } from '@agent-marketplace/core/testing/marketplace/read-signed.ts';
import {
  createTestMarketplace,
  type TestMarketplace,
} from '@agent-marketplace/core/testing/marketplace/workers-harness.ts';

export type Body = Record<string, unknown>;

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  /** Without provenance, which was checked. */
  readonly body: Body;
  readonly text: string;
  readonly provenance: Body;
}

export interface Party {
  readonly id: string;
  readonly apiKey: string;
  readonly handle: string;
}

interface Options {
  readonly key?: string;
  readonly headers?: Record<string, string>;
}

export type Service = ReturnType<typeof createService>;

/** The service as the specification describes it: by path and JSON, nothing of its inside. */
export function createService(market: TestMarketplace = createTestMarketplace()) {
  market.sellerEndpoint.script = sellerOf({ answer: 42 });

  async function request(method: string, path: string, body?: unknown, { key, headers }: Options = {}) {
    const response = await market.request(method, path, {
      ...(body === undefined ? {} : { body }),
      ...(headers ? { headers } : {}),
      ...(key === undefined ? {} : { apiKey: key }),
    });
    const signed = await readSigned(response);
    return { status: response.status, headers: response.headers, ...signed };
  }
  const get = (path: string, options?: Options): Promise<Reply> => request('GET', path, undefined, options);
  const post = (path: string, body?: unknown, options?: Options): Promise<Reply> =>
    request('POST', path, body, options);
  const patch = (path: string, body?: unknown, options?: Options): Promise<Reply> =>
    request('PATCH', path, body, options);

  async function register(name = 'Agent', path = '/agents/register'): Promise<Party> {
    const { body } = await post(path, { name });
    const { id, apiKey, connect } = body as { id: string; apiKey: string; connect: { handle: string } };
    return { id, apiKey, handle: connect.handle };
  }

  return {
    market,
    get,
    post,
    patch,
    register,

    /** A seller whose delivery endpoint is verified. */
    async seller(callbackUrl = 'http://localhost:9/deliver'): Promise<Party> {
      const seller = await register('Seller', '/sell/register');
      const { status, text } = await post('/sell/callback', { callbackUrl }, { key: seller.apiKey });
      if (status !== 200) throw new Error(text);
      return seller;
    },

    async list(seller: Party, fields: Body = {}): Promise<Body & { id: string }> {
      const { status, body, text } = await post(
        '/marketplace/listings',
        { ...LISTING, ...fields },
        { key: seller.apiKey },
      );
      if (status !== 201) throw new Error(text);
      return body.listing as Body & { id: string };
    },

    async browse(query = ''): Promise<{ listings: (Body & { id: string })[]; total: number; body: Body }> {
      const { body } = await get(`/marketplace/listings${query}`);
      return { ...(body as { listings: (Body & { id: string })[]; total: number }), body };
    },

    publishPlatformListings: () => publishPlatformListings(market.newPorts()),
  };
}

export const LISTING = {
  title: 'Tide tables of Brest',
  description: 'High and low water, computed.',
  preview: { rows: 2 },
  priceCents: 0,
  consent: true,
};

/** What buyers of personal health data declare (clause: purchase of a personal-health listing). */
export const HEALTH_ATTESTATION = {
  buyer_intended_use: 'academic_research',
  buyer_attestation: {
    notForInsurance: true,
    notForEmployment: true,
    notForDiscrimination: true,
    noReidentification: true,
    acceptUseTerms: true,
  },
};

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
export const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
export const SHA256 = /^sha256:[0-9a-f]{64}$/;
export const NOWHERE = '00000000-0000-4000-8000-00000000abcd';

export const pathsOf = ({ body }: Reply) => (body.errors as { path: string }[]).map(({ path }) => path);
