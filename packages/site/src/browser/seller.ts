import { openView } from './seller/open-view.ts';

// Each view is loaded once its page is open.
await openView({
  overview: async () => (await import('./seller/overview.ts')).overview,
  listings: async () => (await import('./seller/listings.ts')).listings,
  endpoint: async () => (await import('./seller/endpoint.ts')).endpointPage,
});
