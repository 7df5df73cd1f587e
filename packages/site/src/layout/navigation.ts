/** The links at the top of every page, in order. */
export const NAVIGATION: readonly { readonly href: string; readonly label: string }[] = [
  { href: '/listings', label: 'Listings' },
  { href: '/depth', label: 'Live depth' },
  { href: '/verify', label: 'Verify' },
];
