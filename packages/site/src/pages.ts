import type { SitePage } from './page.ts';
import { accountPage } from './pages/account/account.tsx';
import { accountErasurePage } from './pages/account/account-erasure.tsx';
import { appealPage } from './pages/appeal.tsx';
import { approvalPage, passkeysPage } from './pages/approval.tsx';
import { booksPage } from './pages/books.tsx';
import { alertsPage } from './pages/buyer/alerts.tsx';
import { consolePage } from './pages/buyer/console.tsx';
import { eventsPage } from './pages/buyer/events.tsx';
import { offersPage } from './pages/buyer/offers.tsx';
import { activityPage, purchasesPage } from './pages/buyer/purchases.tsx';
import { registerPage } from './pages/buyer/register.tsx';
import { claimPage } from './pages/claim.tsx';
import { contactPage } from './pages/contact.tsx';
import { depthPage } from './pages/depth.tsx';
import { docsPages } from './pages/docs.tsx';
import { homePage } from './pages/home.tsx';
import { inquiryPage } from './pages/inquiry.tsx';
import { keysPage } from './pages/keys.tsx';
import { listingPage } from './pages/listing.tsx';
import { listingsPage } from './pages/listings.tsx';
import { operatorPages } from './pages/operator/operator-pages.tsx';
import { payoutChangePage } from './pages/payout-change.tsx';
import { policyPages } from './pages/policies/policy-pages.ts';
import { problemPage } from './pages/problem.tsx';
import { problemsPage } from './pages/problems.tsx';
import { purchasePage } from './pages/purchase.tsx';
import { recoverPage } from './pages/recover/recover.tsx';
import { recoverLinkPage } from './pages/recover/recover-link.tsx';
import { reportPage } from './pages/reports/report.tsx';
import { sellerPages } from './pages/seller/seller-pages.ts';
import { styleguidePage } from './pages/styleguide/styleguide.tsx';
import { verifyPage } from './pages/verify.tsx';
import { verifyEmailPage } from './pages/verify-email.tsx';
import { walletPage, walletReturnPages } from './pages/wallet.tsx';

/** All pages. If two paths match, the first wins. */
export const pages: readonly SitePage[] = [
  homePage,
  listingsPage,
  listingPage,
  depthPage,
  verifyPage,
  booksPage,
  contactPage,
  inquiryPage,
  claimPage,
  payoutChangePage,
  accountPage,
  accountErasurePage,
  appealPage,
  reportPage,
  purchasePage,
  walletPage,
  consolePage,
  activityPage,
  purchasesPage,
  offersPage,
  alertsPage,
  eventsPage,
  registerPage,
  passkeysPage,
  approvalPage,
  ...sellerPages,
  keysPage,
  recoverPage,
  recoverLinkPage,
  verifyEmailPage,
  ...operatorPages,
  ...walletReturnPages,
  problemsPage,
  problemPage,
  styleguidePage,
  ...policyPages,
  ...docsPages,
];
