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
  /** What its script asks for is refused, as it should be. */
  readonly isRefused?: boolean;
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
export async function openSession(
  page: Page,
  label: string,
  key: string,
  firstHeading: string,
): Promise<void> {
  await enterKey(page, label, key);
  await page.getByRole('heading', { name: firstHeading }).waitFor();
}

/** A view of the operator's console, once it is drawn. */
function operatorView(name: string, path: string): PageUnderTest {
  return {
    name: `operator-${name}`,
    path: () => path,
    isPrivate: true,
    async act(page, { operatorSecret }) {
      await enterKey(page, 'secret', operatorSecret);
      await page.locator('#keyed-content > *').first().waitFor();
      await page.getByText('Loading…').waitFor({ state: 'detached' });
    },
  };
}

/** A page of a console as an agent sees it that did nothing yet, once it is drawn. */
function firstVisit(name: string, path: string): PageUnderTest {
  return {
    name: `${name}-new`,
    path: () => path,
    async act(page, { newcomerKey }) {
      await enterKey(page, 'API key', newcomerKey);
      await page.locator('#keyed-content section, #keyed-content .empty').first().waitFor();
    },
  };
}

/** Sends what the form of a listing holds, and waits for what comes of it. */
const order = (way: string | null, until: string) => async (page: Page) => {
  if (way !== null) await page.getByRole('radio', { name: way }).check();
  await page.locator('#try button[type=submit]').click();
  await page.locator(until).first().waitFor();
};

/** Every page, in each state that looks different. A new page adds its lines. */
export const PAGES_UNDER_TEST: readonly PageUnderTest[] = [
  { name: 'home', path: () => '/' },
  { name: 'listings', path: () => '/listings' },
  { name: 'listings-filtered', path: () => '/listings?q=tide&price=paid&class=COMMERCE&rail=CARD' },
  { name: 'listings-corrected', path: () => '/listings?q=harbuor+tides&samples=include' },
  { name: 'listings-empty', path: () => '/listings?q=nothingfitsthis' },
  { name: 'listing', path: ({ listingId }) => `/listings/${listingId}` },
  {
    name: 'listing-suggestions',
    path: ({ listingId }) => `/listings/${listingId}`,
    async act(page) {
      await page.getByRole('banner').getByRole('combobox').pressSequentially('tide');
      await page.locator('.suggestions li').first().waitFor();
    },
  },
  {
    name: 'listing-faults',
    path: ({ listingId }) => `/listings/${listingId}`,
    async act(page) {
      await page.getByLabel('harbour').fill('');
      await order(null, '.field-error:visible')(page);
    },
  },
  {
    name: 'listing-no-key',
    path: ({ listingId }) => `/listings/${listingId}`,
    act: order('Wallet Prepaid', '#pay-key-fault'),
  },
  {
    name: 'listing-refused',
    path: ({ listingId }) => `/listings/${listingId}`,
    act: order('USDC With', '#outcome [role=alert]'),
  },
  {
    name: 'listing-answered',
    path: ({ hostileListingId }) => `/listings/${hostileListingId}`,
    act: order(null, '#verdict[data-checked]'),
  },
  {
    name: 'listing-hostile',
    path: ({ hostileListingId }) => `/listings/${hostileListingId}`,
    async act(page) {
      await page.getByText('The figures of 1 day').click();
      await page.getByRole('img', { name: /: \d+ in all, at most \d+ on one day\.$/ }).waitFor();
      await page.getByRole('row', { name: /^\d{4}-\d\d-\d\d \d+ \d+ 0 100%/ }).waitFor();
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
  {
    name: 'verify-altered',
    path: () => '/verify',
    async act(page, { signed }) {
      await page.locator('#pasted').fill(signed.purchase.replace('2600', '2601'));
      await page.getByRole('button', { name: 'Check' }).click();
      await page.locator('.finding.bad').first().waitFor();
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
  {
    name: 'keys-open',
    path: () => '/keys',
    act: (page, { buyerKey }) => openSession(page, 'API key', buyerKey, 'Live keys'),
  },
  { name: 'approvals-closed', path: () => '/approvals' },
  {
    name: 'approvals',
    path: () => '/approvals',
    act: (page, { buyerKey }) => openSession(page, 'API key', buyerKey, 'Passkeys'),
  },
  { name: 'approval', path: ({ approvalPath }) => approvalPath, isPrivate: true },
  { name: 'approval-unknown', path: () => '/approvals/none', status: 404, isPrivate: true },
  { name: 'account-closed', path: () => '/account' },
  {
    name: 'account',
    path: () => '/account',
    act: (page, { buyerKey }) => openSession(page, 'API key', buyerKey, 'What is held about you'),
  },
  { name: 'payout-change-closed', path: () => '/payout-changes/none', status: 404 },
  { name: 'account-erasure', path: () => '/account/erasure', isPrivate: true },
  { name: 'report', path: () => '/reports/none', isPrivate: true },
  { name: 'appeal', path: () => '/appeals/none', isPrivate: true },
  { name: 'wallet-closed', path: () => '/wallet' },
  {
    name: 'wallet',
    path: () => '/wallet',
    act: (page, { buyerKey }) => openSession(page, 'API key', buyerKey, 'Balance'),
  },
  { name: 'register', path: () => '/register' },
  {
    name: 'register-done',
    path: () => '/register',
    async act(page) {
      await page.getByLabel('Name of your program').fill('Looks at pages');
      await page.keyboard.press('Enter');
      await page.getByText('It is shown only once').waitFor();
    },
  },
  { name: 'console-closed', path: () => '/console' },
  {
    name: 'console-wrong-key',
    path: () => '/console',
    isRefused: true,
    async act(page) {
      await page.getByLabel('API key').fill(`mkt_live_${'x'.repeat(43)}`);
      await page.keyboard.press('Enter');
      await page.locator('#keyed-content [role=alert]').waitFor();
    },
  },
  firstVisit('console', '/console'),
  firstVisit('wallet', '/wallet'),
  firstVisit('offers', '/offers'),
  firstVisit('events', '/events'),
  { ...firstVisit('seller', '/seller'), isRefused: true },
  {
    name: 'console',
    path: () => '/console',
    act: (page, { buyerKey }) => openSession(page, 'API key', buyerKey, 'What needs you'),
  },
  { name: 'purchases-closed', path: () => '/purchases' },
  {
    name: 'purchases',
    path: () => '/purchases',
    async act(page, { buyerKey }) {
      await enterKey(page, 'API key', buyerKey);
      await page.locator('tbody tr').first().waitFor();
    },
  },
  { name: 'offers-closed', path: () => '/offers' },
  {
    name: 'offers',
    path: () => '/offers',
    async act(page, { buyerKey }) {
      await enterKey(page, 'API key', buyerKey);
      await page.getByRole('button', { name: /^Withdraw the offer/ }).waitFor();
    },
  },
  {
    name: 'alerts',
    path: () => '/alerts?q=tide+tables+of+Bergen',
    act: (page, { buyerKey }) => openSession(page, 'API key', buyerKey, 'Tell me when there is one'),
  },
  { name: 'events-closed', path: () => '/events' },
  {
    name: 'events',
    path: () => '/events',
    async act(page, { buyerKey }) {
      await enterKey(page, 'API key', buyerKey);
      await page.getByRole('list', { name: 'Events' }).waitFor();
    },
  },
  { name: 'wallet-funded', path: () => '/wallet/funded', isPrivate: true },
  { name: 'wallet-cancelled', path: () => '/wallet/cancelled', isPrivate: true },
  { name: 'wallet-card-saved', path: () => '/wallet/card-saved', isPrivate: true },
  { name: 'seller-closed', path: () => '/seller' },
  {
    name: 'seller',
    path: () => '/seller',
    act: (page, { sellerKey }) => openSession(page, 'API key', sellerKey, 'Earnings'),
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
    name: 'seller-listing-faults',
    path: () => '/seller/listings/new',
    async act(page) {
      await page.getByLabel('Title').fill('Tides of my harbour');
      await page.getByLabel('Price of one answer').fill('0,00');
      await page.getByLabel('A sample of the answer').fill('{ low: 1 }');
      await page.getByLabel('Some fields that the buyer fills in').check();
      await page.getByRole('button', { name: 'Put it on sale' }).click();
      await page.getByRole('alert').filter({ hasText: 'Nothing was sent, and nothing is lost' }).waitFor();
    },
  },
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
    act: (page, { sellerKey }) => openSession(page, 'API key', sellerKey, 'To ship'),
  },
  {
    name: 'seller-payouts',
    path: () => '/seller/payouts',
    act: (page, { sellerKey }) => openSession(page, 'API key', sellerKey, 'Where you are paid'),
  },
  {
    name: 'seller-statements',
    path: () => '/seller/statements',
    act: (page, { sellerKey }) => openSession(page, 'API key', sellerKey, 'Lines'),
  },
  {
    name: 'seller-events',
    path: () => '/seller/events',
    act: (page, { sellerKey }) => openSession(page, 'API key', sellerKey, 'The last 50'),
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
    name: 'seller-dispute',
    path: () => '/seller/disputes',
    async act(page, { sellerKey }) {
      await enterKey(page, 'API key', sellerKey);
      await page
        .getByRole('button', { name: /^Answer: / })
        .first()
        .click();
      await page.getByLabel('What you have to say').waitFor();
    },
  },
  {
    name: 'seller-endpoint-asked',
    path: () => '/seller/endpoint',
    async act(page, { sellerKey, listingId }) {
      await openSession(page, 'API key', sellerKey, 'Delivery endpoint');
      await page.getByRole('combobox', { name: 'Listing', exact: true }).selectOption(listingId);
      await page.getByRole('button', { name: 'Ask me now' }).click();
      await page.getByText('It delivers.').waitFor();
    },
  },
  {
    name: 'seller-endpoint',
    path: () => '/seller/endpoint',
    act: (page, { sellerKey }) => openSession(page, 'API key', sellerKey, 'Delivery endpoint'),
  },
  { name: 'operator-closed', path: () => '/operator', isPrivate: true },
  {
    name: 'operator',
    path: () => '/operator',
    isPrivate: true,
    act: (page, { operatorSecret }) => openSession(page, 'secret', operatorSecret, 'Due in the next 7 days'),
  },
  {
    name: 'operator-dispute',
    path: () => '/operator/queues?show=disputes',
    isPrivate: true,
    async act(page, { operatorSecret }) {
      await openSession(page, 'secret', operatorSecret, 'Disputes (');
      await page.getByRole('button', { name: 'Decide: Dispute over' }).first().click();
      await page.getByRole('button', { name: /^Refund \$[\d.]+ to the buyer$/ }).waitFor();
    },
  },
  {
    name: 'operator-overdue',
    path: () => '/operator/money',
    isPrivate: true,
    async act(page, { operatorSecret }) {
      await openSession(page, 'secret', operatorSecret, 'Overdue money');
      await page.getByRole('button', { name: /^Mend: Held past its date/ }).click();
      await page.getByRole('heading', { name: /^Held past its date/ }).waitFor();
    },
  },
  {
    name: 'operator-reconciliation',
    path: () => '/operator/money?show=reconciliation',
    isPrivate: true,
    act: (page, { operatorSecret }) => openSession(page, 'secret', operatorSecret, 'Reconciliation'),
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
      await openSession(page, 'secret', operatorSecret, 'Answered (');
      await page.getByText('Receipt of March').click();
      await page.locator('.message').first().waitFor();
    },
  },
  {
    name: 'operator-audit',
    path: () => '/operator/audit',
    isPrivate: true,
    act: (page, { operatorSecret }) => openSession(page, 'secret', operatorSecret, 'What operators did'),
  },
  {
    name: 'operator-settings',
    path: () => '/operator/settings',
    isPrivate: true,
    act: (page, { operatorSecret }) => openSession(page, 'secret', operatorSecret, 'Operators ('),
  },
  operatorView('reports', '/operator/queues'),
  operatorView('appeals', '/operator/queues?show=appeals'),
  operatorView('decided', '/operator/queues?show=decided'),
  operatorView('months', '/operator/money?show=periods'),
  operatorView('adjustments', '/operator/money?show=adjustments'),
  operatorView('totals', '/operator/money?show=totals'),
  operatorView('inquiries-open', '/operator/inquiries'),
  operatorView('ideas', '/operator/inquiries?show=ideas'),
  operatorView('metrics', '/operator/metrics'),
  operatorView('designations', '/operator/settings?show=designations'),
  operatorView('affiliated', '/operator/settings?show=affiliated'),
  { name: 'contact', path: () => '/contact' },
  {
    name: 'contact-report',
    path: ({ listingId }) => `/contact?category=report&subject=${encodeURIComponent(`listing ${listingId}`)}`,
  },
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
