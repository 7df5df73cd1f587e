interface Tab {
  readonly href: string;
  readonly label: string;
}

/** Views of one thing, each with an address of its own, so that they need no script. */
export function Tabs({ label, tabs, open }: { label: string; tabs: readonly Tab[]; open: string }) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map((tab) => (
        <a href={tab.href} aria-current={tab.href === open ? 'page' : undefined}>
          {tab.label}
        </a>
      ))}
    </nav>
  );
}
