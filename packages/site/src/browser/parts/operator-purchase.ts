import type { Desk } from './desk.ts';
import { element, section } from './dom.ts';
import { mendingForm, mendingLabel } from './operator-mending.ts';

/** In the order of how often they are needed. */
const OPERATIONS = ['holdPurchase', 'liftHold', 'refundPurchase', 'markPaidElsewhere'];

/** What can be done with a purchase that is not in the list. */
export function operatorPurchase({ api }: Desk): HTMLElement {
  const done = async () => {};
  return section(
    'Any purchase',
    element('p', {}, 'For a purchase that you know the id of, overdue or not. Buyer and seller are told.'),
    ...OPERATIONS.map((name) =>
      element('details', {}, element('summary', {}, mendingLabel(name)), mendingForm(api, name, null, done)),
    ),
  );
}
