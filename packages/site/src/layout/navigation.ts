/** The links at the top of every page, in order. */
export const NAVIGATION: readonly { readonly href: string; readonly label: string }[] = [
  { href: '/listings', label: 'Listings' },
  { href: '/books', label: 'Open books' },
  { href: '/depth', label: 'Live depth' },
  { href: '/verify', label: 'Verify' },
  { href: '/docs', label: 'Docs' },
];

/** Links that need a key: beside the name, and above the other links on a phone. */
export const KEY_NAVIGATION: typeof NAVIGATION = [
  { href: '/wallet', label: 'Wallet' },
  { href: '/seller', label: 'Seller console' },
];
