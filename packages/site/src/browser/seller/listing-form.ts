import { misfit, type ReadDraft, readDraft } from '../../selling/listing-draft.ts';
import { listingPreview } from '../../selling/listing-preview.ts';
import { faultAt, showFault, showFieldFaults } from '../parts/field-faults.ts';
import { textIn } from '../parts/kept-form.ts';
import { draw } from '../parts/order/draw.ts';
import { questionRows } from './question-rows.ts';

export interface ListingFormScript {
  readonly form: HTMLFormElement;
  read(): ReadDraft;
  /** Draws all that follows from the controls, after a script has filled them in. */
  refresh(): void;
  /** Shows what is wrong beside each field and leads to the first; whether nothing is. */
  check(faults: ReadonlyMap<string, string>): boolean;
}

/** Makes the form of a listing check each field as it is left, and draws its preview while it is typed. */
export function listingForm(form: HTMLFormElement): ListingFormScript {
  const read = () => readDraft((name) => textIn(form, name));
  const rows = questionRows(form);
  const preview = document.querySelector<HTMLElement>('#preview');
  const drawPreview = () => preview?.replaceChildren(draw(listingPreview(read())));
  const showParts = () => {
    const byUnits = textIn(form, 'unit') === '' ? '' : 'units';
    const chosen = [textIn(form, 'question'), textIn(form, 'listingType'), byUnits];
    for (const part of form.querySelectorAll<HTMLElement>('[data-shown-for]'))
      part.hidden = !chosen.includes(part.dataset.shownFor ?? '');
  };
  const refresh = () => {
    rows.draw();
    showParts();
    drawPreview();
  };

  form.hidden = false;
  for (const part of document.querySelectorAll<HTMLElement>('[data-script]')) part.hidden = false;
  form.addEventListener('input', drawPreview);
  form.addEventListener('change', (event) => {
    showParts();
    drawPreview();
    const control = event.target instanceof HTMLElement ? event.target : null;
    const name = control?.getAttribute('name') ?? (control?.dataset.part ? 'fields' : '');
    const place = faultAt(form, name);
    if (place) showFault(place, read().faults.get(name) ?? '');
  });
  form.querySelector('#test-example')?.addEventListener('click', () => showVerdict(form, read()));
  refresh();
  return {
    form,
    read,
    refresh,
    check(faults) {
      showFieldFaults(form, faults);
      const first = form.querySelector<HTMLElement>(
        '.field.wrong :is(input, select, textarea):not([type="hidden"])',
      );
      // What is folded away could not be seen.
      const folded = first?.closest('details');
      if (folded) folded.open = true;
      first?.focus();
      return faults.size === 0;
    },
  };
}

/** What the developer of a schema asks before listing: would a buyer's query pass? */
function showVerdict(form: HTMLFormElement, { listing, faults }: ReadDraft): void {
  const verdict = form.querySelector<HTMLElement>('#example-verdict');
  if (!verdict) return;
  for (const name of ['inputSchema', 'exampleQuery']) {
    const place = faultAt(form, name);
    if (place) showFault(place, faults.get(name) ?? '');
  }
  const { inputSchema, exampleQuery } = listing;
  const isTested = inputSchema !== undefined && exampleQuery !== undefined;
  verdict.textContent =
    faults.has('inputSchema') || faults.has('exampleQuery')
      ? 'Not yet: see above.'
      : isTested && misfit(inputSchema, exampleQuery, 'The example') === null
        ? 'The example fits the schema.'
        : 'Write a schema and an example first.';
}
