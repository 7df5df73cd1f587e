import { openView } from './seller/open-view.ts';

await openView({
  new: async () => (await import('./seller/new-listing.ts')).newListing(listingForm()).draw,
  change: async () => (await import('./seller/change-listing.ts')).changeListing(listingForm()).draw,
});

function listingForm(): HTMLFormElement {
  const form = document.querySelector<HTMLFormElement>('#listing-form');
  if (!form) throw new Error('The page has no form of a listing.');
  return form;
}
