/**
 * The guides in reading order. A file of `docs/` that is named nowhere comes last, so that a new guide is never lost.
 * Files are named from the root of the repository.
 */
export const GROUPS: readonly { readonly title: string; readonly files: readonly string[] }[] = [
  {
    title: 'Start',
    files: ['docs/README.md', 'docs/buy.md', 'docs/sell.md', 'docs/agents.md'],
  },
  {
    title: 'Tools',
    files: [
      'docs/cli.md',
      'docs/gateway.md',
      'packages/sdk/README.md',
      'docs/mcp.md',
      'docs/pay-per-query.md',
      'docs/x402.md',
      'docs/mpp.md',
      'docs/paid-tool-calls.md',
      'docs/tabs.md',
      'docs/ingress.md',
    ],
  },
  {
    title: 'Special cases',
    files: ['docs/health-data.md', 'docs/inquiries.md', 'docs/moderation.md'],
  },
  {
    title: 'Trust',
    files: [
      'docs/protocol.md',
      'docs/transparency.md',
      'docs/demand-ledger.md',
      'docs/performance.md',
      'docs/capacity.md',
      'docs/security.md',
      'docs/held-data.md',
      'docs/conformance.md',
    ],
  },
  {
    title: 'Run a marketplace',
    files: ['docs/deploy.md', 'docs/operate.md', 'docs/overdue.md', 'docs/cards.md'],
  },
  { title: 'How it is built', files: ['docs/architecture.md', 'docs/site.md', 'docs/adr/README.md'] },
];

export const MORE = 'More';
