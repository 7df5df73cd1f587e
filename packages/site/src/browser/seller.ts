import { openView } from './seller/open-view.ts';

// Each view is loaded once its page is open.
await openView({
  overview: async () => (await import('./seller/overview.ts')).overview,
  listings: async () => (await import('./seller/listings.ts')).listings,
  orders: async () => (await import('./seller/sales/sales.ts')).orders,
  disputes: async () => (await import('./seller/sales/disputes.ts')).disputes,
  payouts: async () => (await import('./seller/payouts.ts')).payouts,
  statements: async () => (await import('./seller/statements.ts')).statements,
  events: async () => (await import('./seller/events.ts')).events,
  endpoint: async () => (await import('./seller/endpoint.ts')).endpointPage,
});
