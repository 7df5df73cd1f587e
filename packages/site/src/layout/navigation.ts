/** The links at the top of every page, in order. */
export const NAVIGATION: readonly {
  readonly href: string;
  readonly label: string;
  /** What follows the label where there is room. */
  readonly more?: string;
  /** Further addresses at which the reader is there. */
  readonly of?: readonly string[];
}[] = [
  { href: '/listings', label: 'Listings' },
  { href: '/books', label: 'Open books' },
  { href: '/depth', label: 'Live depth' },
  { href: '/verify', label: 'Verify' },
  { href: '/docs', label: 'Docs' },
];

/** The consoles, and how to get a key for them: beside the name, and above the other links on a phone. */
export const KEY_NAVIGATION: typeof NAVIGATION = [
  { href: '/register', label: 'Register' },
  {
    href: '/console',
    label: 'Buyer',
    more: ' console',
    of: ['/purchases', '/wallet', '/keys', '/approvals', '/offers', '/alerts', '/events', '/account'],
  },
  { href: '/seller', label: 'Seller', more: ' console' },
];
