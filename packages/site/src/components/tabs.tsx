interface Tab {
  readonly href: string;
  readonly label: string;
  /** Of an operator: a view that a lesser role cannot use is not shown to it. */
  readonly leastRole?: string | undefined;
}

/** Views of one thing, each with an address of its own, so that they need no script. */
export function Tabs({ label, tabs, open }: { label: string; tabs: readonly Tab[]; open: string }) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map((tab) => (
        <a
          href={tab.href}
          aria-current={tab.href === open ? 'page' : undefined}
          data-least-role={tab.leastRole}
        >
          {tab.label}
        </a>
      ))}
    </nav>
  );
}
