import type { SitePage } from './page.ts';
import { depthPage } from './pages/depth.tsx';
import { homePage } from './pages/home.tsx';
import { listingPage } from './pages/listing.tsx';
import { listingsPage } from './pages/listings.tsx';
import { problemPage } from './pages/problem.tsx';
import { problemsPage } from './pages/problems.tsx';
import { verifyPage } from './pages/verify.tsx';

/** All pages. Where two paths could match, the first one does. */
export const pages: readonly SitePage[] = [
  homePage,
  listingsPage,
  listingPage,
  depthPage,
  verifyPage,
  problemsPage,
  problemPage,
];
