import type { Operations } from '@agent-marketplace/sdk';

type Status = Operations['getListing']['output']['listing']['status'];

/** How a listing stands, in words, and in the colour beside them. */
export const LISTING_STATES: Readonly<
  Record<Status, { readonly words: string; readonly kind: 'waiting' | 'done' | 'attention' }>
> = {
  active: { words: 'on sale', kind: 'done' },
  pending: { words: 'not on sale yet', kind: 'waiting' },
  inactive: { words: 'off the market', kind: 'attention' },
};
