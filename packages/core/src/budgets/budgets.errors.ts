import { defineErrors } from '../kernel/errors.ts';

/** What only a key without a policy may do. */
export const fundingErrors = defineErrors({
  key_is_bounded: {
    kind: 'forbidden',
    title: 'A key with a budget brings in no money. Nothing was charged.',
    remedy:
      'Use a key of the agent that has no policy: it may fund the wallet, save a card and configure recharges. A person ' +
      'does so on the page /wallet.',
  },
});

/** Why the limits of a key stay as they are. */
export const boundKeyErrors = defineErrors({
  own_limits: {
    kind: 'forbidden',
    title: 'A key never changes its own limits.',
    remedy: 'Use the key that this one was made with.',
  },
  policy_would_loosen: {
    kind: 'forbidden',
    title: 'A key with a budget only tightens the limits below it.',
    remedy: 'Use a key without a policy that this one descends from.',
  },
  policy_too_deep: {
    kind: 'conflict',
    title: 'There are eight policies above one another already.',
    remedy: 'Change the policy of a key further up.',
  },
  keys_below_are_bounded: {
    kind: 'conflict',
    title:
      'Keys that were made with this one have policies of their own, which would not be below the new one.',
    remedy: 'Revoke those keys first, or set the limits of each.',
  },
});

/** Why a key may not buy what its account could. Nothing is charged or reserved. */
export const budgetErrors = defineErrors({
  budget_exceeded: {
    kind: 'forbidden',
    title: 'It costs more than this key may spend.',
    remedy:
      'See `budget` for the limit, what is left of it and when its window ends, and GET /agents/me/keys/{id}/budget for ' +
      'all. A key without a policy above this one can raise it; a person does so on the page /keys.',
  },
  seller_not_allowed: {
    kind: 'forbidden',
    title: 'This key may not buy from this seller.',
    remedy: "Choose a seller of the key's policy, or have its owner add this one on the page /keys.",
  },
  vertical_not_allowed: {
    kind: 'forbidden',
    title: 'This key may not buy in this vertical.',
    remedy:
      "Choose a listing in a vertical of the key's policy, or have its owner add this one on the page /keys.",
  },
  rail_not_allowed: {
    kind: 'forbidden',
    title: 'This key may not pay in this way.',
    remedy:
      "Pay in one of the ways that the key's policy has in `rails`, or have its owner add this one on the page /keys.",
  },
});
