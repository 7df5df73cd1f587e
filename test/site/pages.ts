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
  { name: 'problems', path: () => '/problems' },
  { name: 'problem', path: () => '/problems/listing_not_found' },
  { name: 'not-found', path: () => '/nothing-here', status: 404 },
];
