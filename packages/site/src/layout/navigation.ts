/** The links at the top of every page, in order. */
export const NAVIGATION: readonly { readonly href: string; readonly label: string }[] = [
  { href: '/listings', label: 'Listings' },
  { href: '/books', label: 'Open books' },
  { href: '/depth', label: 'Live depth' },
  { href: '/verify', label: 'Verify' },
];

/** Those that belong to whoever has a key: beside the name, and on a phone above the others. */
export const OWN_NAVIGATION: typeof NAVIGATION = [
  { href: '/wallet', label: 'Wallet' },
  { href: '/seller', label: 'Your shop' },
];
