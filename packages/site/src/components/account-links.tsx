const PAGES = [
  ['/wallet', 'Wallet'],
  ['/activity', 'Activity'],
  ['/keys', 'API keys'],
  ['/approvals', 'Approvals'],
  ['/account', 'Account'],
] as const;

/** What a person who looks after an agent opens with its key. */
export function AccountLinks({ path }: { path: (typeof PAGES)[number][0] }) {
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
