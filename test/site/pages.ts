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
  /** For one reader only: kept by no cache, shown in no search. */
  readonly isPrivate?: boolean;
  /** Names of fields and operations are what it is about. */
  readonly isForProgrammers?: boolean;
}

/** The key that an earlier page of the same tab was opened with is still there. */
export async function enterKey(page: Page, label: string, key: string): Promise<void> {
  const field = page.getByLabel(label);
  if (!(await field.isVisible())) return;
  await field.fill(key);
  await page.keyboard.press('Enter');
}

/** Enters the key of a page that is drawn for whoever has one. */
export async function openDesk(page: Page, label: string, key: string, firstHeading: string): Promise<void> {
  await enterKey(page, label, key);
  await page.getByRole('heading', { name: firstHeading }).waitFor();
}

/** Every page, in each state that looks different. A new page adds its lines. */
export const PAGES_UNDER_TEST: readonly PageUnderTest[] = [
  { name: 'home', path: () => '/' },
  { name: 'listings', path: () => '/listings' },
  { name: 'listings-filtered', path: () => '/listings?q=tide&price=paid&class=COMMERCE&rail=CARD' },
  { name: 'listings-corrected', path: () => '/listings?q=harbuor+tides&samples=include' },
  { name: 'listings-empty', path: () => '/listings?q=nothingfitsthis' },
  { name: 'listing', path: ({ listingId }) => `/listings/${listingId}` },
  {
    name: 'listing-hostile',
    path: ({ hostileListingId }) => `/listings/${hostileListingId}`,
    async act(page) {
      await page.getByText('The figures of 1 day').click();
      await page.getByRole('img', { name: /: 5 in all, at most 5 on one day\.$/ }).waitFor();
      await page.getByRole('row', { name: /^\d{4}-\d\d-\d\d 5 5 0 100%/ }).waitFor();
    },
  },
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
  { name: 'claim', path: ({ claimPath }) => claimPath, isPrivate: true },
  {
    name: 'claim-failed',
    path: ({ claimPath }) => claimPath,
    isPrivate: true,
    async act(page) {
      await page.getByLabel('Address of the delivery endpoint').fill('http://127.0.0.1:9/deliver');
      await page.getByRole('button', { name: 'Send the challenge' }).click();
      await page.locator('.challenge').waitFor();
    },
  },
  { name: 'claim-ended', path: () => '/claim/ended', status: 404 },
  { name: 'purchase-waiting', path: ({ purchasePaths }) => purchasePaths.waiting, isPrivate: true },
  { name: 'purchase-ready', path: ({ purchasePaths }) => purchasePaths.ready, isPrivate: true },
  {
    name: 'purchase-held',
    path: ({ purchasePaths }) => purchasePaths.held,
    isPrivate: true,
    async act(page) {
      await page.getByRole('button', { name: 'Show the content' }).click();
      await page.locator('#verdict[data-checked]').waitFor();
    },
  },
  { name: 'purchase-disputed', path: ({ purchasePaths }) => purchasePaths.disputed, isPrivate: true },
  { name: 'purchase-refunded', path: ({ purchasePaths }) => purchasePaths.refunded, isPrivate: true },
  { name: 'purchase-closed', path: () => '/purchases/none?token=none', status: 404 },
  { name: 'verify-email', path: () => '/verify-email', isPrivate: true },
  { name: 'recover', path: () => '/recover' },
  { name: 'recover-link', path: () => '/recover/link', isPrivate: true },
  { name: 'keys', path: () => '/keys' },
  { name: 'approvals-closed', path: () => '/approvals' },
  {
    name: 'approvals',
    path: () => '/approvals',
    act: (page, { buyerKey }) => openDesk(page, 'API key', buyerKey, 'Passkeys'),
  },
  { name: 'approval-unknown', path: () => '/approvals/none', status: 404, isPrivate: true },
  { name: 'account-closed', path: () => '/account' },
  {
    name: 'account',
    path: () => '/account',
    act: (page, { buyerKey }) => openDesk(page, 'API key', buyerKey, 'What is held about you'),
  },
  { name: 'payout-change-closed', path: () => '/payout-changes/none', status: 404 },
  { name: 'account-erasure', path: () => '/account/erasure', isPrivate: true },
  { name: 'report', path: () => '/reports/none', isPrivate: true },
  { name: 'appeal', path: () => '/appeals/none', isPrivate: true },
  { name: 'wallet-closed', path: () => '/wallet' },
  {
    name: 'wallet',
    path: () => '/wallet',
    act: (page, { buyerKey }) => openDesk(page, 'API key', buyerKey, 'Balance'),
  },
  { name: 'register', path: () => '/register' },
  { name: 'console-closed', path: () => '/console' },
  {
    name: 'console',
    path: () => '/console',
    act: (page, { buyerKey }) => openDesk(page, 'API key', buyerKey, 'What needs you'),
  },
  { name: 'purchases-closed', path: () => '/purchases' },
  { name: 'offers-closed', path: () => '/offers' },
  {
    name: 'alerts',
    path: () => '/alerts?q=tide+tables+of+Bergen',
    act: (page, { buyerKey }) => openDesk(page, 'API key', buyerKey, 'Tell me when there is one'),
  },
  { name: 'events-closed', path: () => '/events' },
  { name: 'wallet-funded', path: () => '/wallet/funded', isPrivate: true },
  { name: 'seller-closed', path: () => '/seller' },
  {
    name: 'seller',
    path: () => '/seller',
    act: (page, { sellerKey }) => openDesk(page, 'API key', sellerKey, 'Earnings'),
  },
  { name: 'seller-listings-closed', path: () => '/seller/listings' },
  {
    name: 'seller-listings',
    path: () => '/seller/listings',
    async act(page, { sellerKey }) {
      await page.getByLabel('API key').fill(sellerKey);
      await page.keyboard.press('Enter');
      await page.locator('.rows .row').first().waitFor();
    },
  },
  { name: 'seller-listing-new', path: () => '/seller/listings/new' },
  {
    name: 'seller-listing-change',
    path: ({ listingId }) => `/seller/listings/${listingId}`,
    isPrivate: true,
    async act(page, { sellerKey }) {
      await page.getByLabel('API key').fill(sellerKey);
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Take it off the market' }).waitFor();
    },
  },
  {
    name: 'seller-orders',
    path: () => '/seller/orders',
    act: (page, { sellerKey }) => openDesk(page, 'API key', sellerKey, 'To ship'),
  },
  {
    name: 'seller-payouts',
    path: () => '/seller/payouts',
    act: (page, { sellerKey }) => openDesk(page, 'API key', sellerKey, 'Where you are paid'),
  },
  {
    name: 'seller-statements',
    path: () => '/seller/statements',
    act: (page, { sellerKey }) => openDesk(page, 'API key', sellerKey, 'Lines'),
  },
  {
    name: 'seller-events',
    path: () => '/seller/events',
    act: (page, { sellerKey }) => openDesk(page, 'API key', sellerKey, 'The last 50'),
  },
  {
    name: 'seller-disputes',
    path: () => '/seller/disputes',
    async act(page, { sellerKey }) {
      await page.getByLabel('API key').fill(sellerKey);
      await page.keyboard.press('Enter');
      await page.locator('tbody tr').first().waitFor();
    },
  },
  {
    name: 'seller-endpoint',
    path: () => '/seller/endpoint',
    act: (page, { sellerKey }) => openDesk(page, 'API key', sellerKey, 'Delivery endpoint'),
  },
  { name: 'operator-closed', path: () => '/operator', isPrivate: true },
  {
    name: 'operator',
    path: () => '/operator',
    isPrivate: true,
    act: (page, { operatorSecret }) => openDesk(page, 'secret', operatorSecret, 'Due in the next 7 days'),
  },
  {
    name: 'operator-dispute',
    path: () => '/operator/queues?show=disputes',
    isPrivate: true,
    async act(page, { operatorSecret }) {
      await openDesk(page, 'secret', operatorSecret, 'Disputes (');
      await page.getByRole('button', { name: 'Decide: Dispute over' }).first().click();
      await page.getByRole('button', { name: /^Refund \$[\d.]+ to the buyer$/ }).waitFor();
    },
  },
  {
    name: 'operator-overdue',
    path: () => '/operator/money',
    isPrivate: true,
    async act(page, { operatorSecret }) {
      await openDesk(page, 'secret', operatorSecret, 'Overdue money');
      await page.getByRole('button', { name: /^Mend: Held past its date/ }).click();
      await page.getByRole('heading', { name: /^Held past its date/ }).waitFor();
    },
  },
  {
    name: 'operator-reconciliation',
    path: () => '/operator/money?show=reconciliation',
    isPrivate: true,
    act: (page, { operatorSecret }) => openDesk(page, 'secret', operatorSecret, 'Reconciliation'),
  },
  {
    name: 'operator-records',
    path: () => '/operator/records',
    isPrivate: true,
    async act(page, { operatorSecret }) {
      await enterKey(page, 'secret', operatorSecret);
      await page.getByLabel('Id, handle, name').fill('Tide tables');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Listings', exact: true }).waitFor();
    },
  },
  {
    name: 'operator-inquiries',
    path: () => '/operator/inquiries?show=answered',
    isPrivate: true,
    async act(page, { operatorSecret }) {
      await openDesk(page, 'secret', operatorSecret, 'Answered (');
      await page.getByText('Receipt of March').click();
      await page.locator('.message').first().waitFor();
    },
  },
  {
    name: 'operator-audit',
    path: () => '/operator/audit',
    isPrivate: true,
    act: (page, { operatorSecret }) => openDesk(page, 'secret', operatorSecret, 'What operators did'),
  },
  {
    name: 'operator-settings',
    path: () => '/operator/settings',
    isPrivate: true,
    act: (page, { operatorSecret }) => openDesk(page, 'secret', operatorSecret, 'Operators ('),
  },
  { name: 'contact', path: () => '/contact' },
  { name: 'inquiry-new', path: ({ inquiryPaths }) => `${inquiryPaths.open}?new=1`, isPrivate: true },
  { name: 'inquiry-answered', path: ({ inquiryPaths }) => inquiryPaths.answered, isPrivate: true },
  { name: 'inquiry-closed', path: ({ inquiryPaths }) => inquiryPaths.closed, isPrivate: true },
  { name: 'books', path: () => '/books' },
  { name: 'policy-prohibited', path: () => '/policies/prohibited' },
  { name: 'policy-terms', path: () => '/policies/terms' },
  { name: 'policy-privacy', path: () => '/policies/privacy' },
  { name: 'problems', isForProgrammers: true, path: () => '/problems' },
  { name: 'problem', isForProgrammers: true, path: () => '/problems/listing_not_found' },
  { name: 'docs', isForProgrammers: true, path: () => '/docs' },
  { name: 'docs-guide', isForProgrammers: true, path: () => '/docs/buy' },
  { name: 'docs-long', isForProgrammers: true, path: () => '/docs/operate' },
  { name: 'docs-decisions', isForProgrammers: true, path: () => '/docs/adr' },
  { name: 'docs-reference', isForProgrammers: true, path: () => '/docs/api' },
  { name: 'docs-operation', isForProgrammers: true, path: () => '/docs/api/purchaseListing' },
  {
    name: 'docs-search',
    isForProgrammers: true,
    path: () => '/docs/sell',
    async act(page) {
      await page.getByLabel('Search the documentation').fill('chargeback');
      await page.locator('.docs-found a').first().waitFor();
    },
  },
  { name: 'styleguide', path: () => '/styleguide', isPrivate: true },
  { name: 'not-found', path: () => '/nothing-here', status: 404 },
];
