const PAGES = [
  ['/wallet', 'Wallet'],
  ['/activity', 'Activity'],
  ['/keys', 'API keys'],
  ['/approvals', 'Approvals'],
  ['/account', 'Account'],
] as const;

export type AccountPath = (typeof PAGES)[number][0];

/** What a person who looks after an agent opens with its key. */
export function AccountLinks({ path }: { path: AccountPath }) {
  return (
    <nav class="links" aria-label="Your agent">
      {PAGES.map(([href, label]) => (
        <a href={href} aria-current={href === path ? 'page' : undefined}>
          {label}
        </a>
      ))}
    </nav>
  );
}
