/** The links at the top of every page, in order. */
export const NAVIGATION: readonly { readonly href: string; readonly label: string }[] = [
  { href: '/listings', label: 'Listings' },
  { href: '/books', label: 'Open books' },
  { href: '/depth', label: 'Live depth' },
  { href: '/verify', label: 'Verify' },
];
