import type { Page } from 'playwright-core';
import type { World } from './world.ts';

/** A page as tests and screenshots visit it. */
export interface PageUnderTest {
  readonly name: string;
  readonly path: (world: World) => string;
  /** What a reader does before the page is looked at. */
  readonly act?: (page: Page, world: World) => Promise<void>;
  /** 200 if not given. */
  readonly status?: number;
}

/** Every page, in each state that looks different. A new page adds its lines. */
export const PAGES_UNDER_TEST: readonly PageUnderTest[] = [
  { name: 'home', path: () => '/' },
  { name: 'listings', path: () => '/listings' },
  { name: 'listings-filtered', path: () => '/listings?q=tide&price=paid&class=COMMERCE&rail=CARD' },
  { name: 'listings-empty', path: () => '/listings?q=nothingfitsthis' },
  { name: 'listing', path: ({ listingId }) => `/listings/${listingId}` },
  { name: 'listing-hostile', path: ({ hostileListingId }) => `/listings/${hostileListingId}` },
  { name: 'listing-pending', path: ({ pendingListingId }) => `/listings/${pendingListingId}` },
  { name: 'depth', path: () => '/depth' },
  { name: 'verify', path: () => '/verify' },
  {
    name: 'verify-checked',
    path: () => '/verify',
    async act(page, { signed }) {
      await page.locator('#pasted').fill(signed.purchase);
      await page.getByRole('button', { name: 'Check' }).click();
      await page.locator('.finding').first().waitFor();
    },
  },
  { name: 'claim', path: ({ claimPath }) => claimPath },
  {
    name: 'claim-failed',
    path: ({ claimPath }) => claimPath,
    async act(page) {
      await page.getByLabel('Address of the delivery endpoint').fill('http://127.0.0.1:9/deliver');
      await page.getByRole('button', { name: 'Send the challenge' }).click();
      await page.locator('.steps').waitFor();
    },
  },
  { name: 'claim-ended', path: () => '/claim/ended', status: 404 },
  { name: 'purchase-waiting', path: ({ purchasePaths }) => purchasePaths.waiting },
  { name: 'purchase-ready', path: ({ purchasePaths }) => purchasePaths.ready },
  {
    name: 'purchase-held',
    path: ({ purchasePaths }) => purchasePaths.held,
    async act(page) {
      await page.getByRole('button', { name: 'Show the content' }).click();
      await page.locator('#verdict[data-checked]').waitFor();
    },
  },
  { name: 'wallet-closed', path: () => '/wallet' },
  {
    name: 'wallet',
    path: () => '/wallet',
    async act(page, { buyerKey }) {
      await page.getByLabel('API key').fill(buyerKey);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Balance' }).waitFor();
    },
  },
  { name: 'wallet-funded', path: () => '/wallet/funded' },
  { name: 'problems', path: () => '/problems' },
  { name: 'problem', path: () => '/problems/listing_not_found' },
  { name: 'not-found', path: () => '/nothing-here', status: 404 },
];
