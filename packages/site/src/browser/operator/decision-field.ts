import type { Field } from '../parts/forms.ts';

/** How a dispute is decided, wherever an operator can. */
export const DECISION_FIELD: Field = {
  name: 'decision',
  label: 'The money goes',
  type: 'select',
  attributes: { required: '' },
  options: [
    // A default would decide a dispute by accident.
    ['', 'choose: the decision is final'],
    ['refund', 'back to the buyer'],
    ['release', 'to the seller'],
  ],
};
