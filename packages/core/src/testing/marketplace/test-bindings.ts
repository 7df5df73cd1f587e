import type { MarketplaceBindings } from '../../compose/runtime.ts';

/** Marked as local, and known to everyone: it signs nothing that matters. */
export const TEST_SIGNING_KEY = JSON.stringify({
  kty: 'OKP',
  crv: 'Ed25519',
  d: 'kbvITLXhJCC2_k8XRUqJAZiR3qn7HTQo7MgQFb97lmE',
  x: 'q-pjCXuc4MbYxsDzyX7x2V7QjpjJ1J6QNBQlP_zdyqE',
  local: true,
});

/** For rotations: the key that signed before, or will sign next. */
export const TEST_OTHER_SIGNING_KEY = JSON.stringify({
  kty: 'OKP',
  crv: 'Ed25519',
  d: 'Xsw1fu60iryPaFonMz58oWA4g5GpEM1IILpSKAqt6n0',
  x: 'TlpE1WixQVj9olFaja7Ze0bqiN58G8rbVUiuV-yp4IY',
  local: true,
});

export const TEST_ADMIN_SECRET = 'test-admin-secret-0123456789abcdef';

/** No test waits for a window to end, unless limits are what it tests. */
const GENEROUS = { limit: 1_000_000_000, windowSeconds: 60, shared: false };

const GENEROUS_DAY = { network: 1_000_000_000, key: 1_000_000_000, keysOfNetwork: 1_000_000_000 };

/** Variables and secrets of the marketplace under test, beside its bindings. */
export const TEST_VARIABLES = {
  SIGNING_KEY: TEST_SIGNING_KEY,
  APP_SECRET: 'test-app-secret-0123456789abcdef0123',
  ADMIN_SECRET: TEST_ADMIN_SECRET,
  SELLER_ENDPOINTS: 'loopback',
  MAIL_FROM: 'marketplace@example.com',
  // In place of a deployment's, which its configuration files may name.
  PUBLIC_BASE_URL: '',
  SITE_URL: '',
  RATE_LIMITS: JSON.stringify({
    read: GENEROUS,
    write: GENEROUS,
    register: GENEROUS,
    purchase: GENEROUS,
    x402: GENEROUS,
    inquiry: GENEROUS,
  }),
  DAILY_LIMITS: JSON.stringify({
    write: GENEROUS_DAY,
    register: GENEROUS_DAY,
    purchase: GENEROUS_DAY,
    x402: GENEROUS_DAY,
    inquiry: GENEROUS_DAY,
    attachment: GENEROUS_DAY,
  }),
} as const;

/** Of the ingress door: a key of its own. */
export const TEST_INGRESS_SIGNING_KEY = JSON.stringify({
  kty: 'OKP',
  crv: 'Ed25519',
  d: 'mRux_wXhw8F5ZTzIUkg7SJD5G2BvGJozy7KZjsI-Olg',
  x: 'V__dzAewQQz461DNR_-zjyFCvqv3Du-om3uKsePta8I',
  local: true,
});

/** What the Worker of the door under test is given; PILOT has room for few, so that a test can fill it. */
export const TEST_DOOR_VARIABLES = {
  ...TEST_VARIABLES,
  INGRESS_SIGNING_KEY: TEST_INGRESS_SIGNING_KEY,
  INGRESS_CAPACITY: JSON.stringify({ PILOT: 3 }),
  INGRESS_SHARDS: '1',
} as const;

export interface Migration {
  readonly name: string;
  readonly queries: string[];
}

/** Of each database. */
export interface Migrations {
  readonly market: Migration[];
  readonly search: Migration[];
}

/** What vitest.config.ts binds the marketplace under test to. */
export interface TestBindings extends MarketplaceBindings {
  readonly TEST_MIGRATIONS: Migrations;
}
