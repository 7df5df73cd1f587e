import { isJsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { MarketplaceError, type Operations } from '@agent-marketplace/sdk';
import { oneLine } from '../../format/text.ts';
import { pricePatch, typedPriceTerms } from '../../selling/read-price.ts';
import { element, untrustedText } from '../parts/dom.ts';
import { actionForm } from '../parts/forms.ts';
import { fillForm, keepForm, textIn } from '../parts/kept-form.ts';
import type { Session } from '../parts/session.ts';
import { trial } from './endpoint/trial.ts';
import { listingForm } from './listing-form.ts';
import { LISTING_STATES } from './listing-states.ts';
import { faultsIn, refusalText, submitOnce } from './submit-listing.ts';

type Detail = Operations['getListing']['output'];
type Patch = Omit<Operations['updateListing']['input'], 'listingId'>;

/** Changes a listing: only what differs is sent. */
export function changeListing(place: HTMLFormElement) {
  const listingId = place.dataset.listing ?? '';
  const kept = keepForm(place, `listing-${listingId}`);
  const outcome = document.querySelector<HTMLElement>('#outcome');
  let script: ReturnType<typeof listingForm> | null = null;
  let session: Session | null = null;
  let stored: Detail | null = null;

  place.addEventListener('input', kept.save);
  submitOnce(place, submit, showRefusal);

  function say(kind: string, text: string): void {
    outcome?.replaceChildren(element('p', { class: `note ${kind}`, role: 'status' }, text));
  }

  async function submit(): Promise<void> {
    if (!script || !session || !stored) return;
    const { listing: draft, faults } = script.read();
    if (!script.check(faults)) {
      say('stop', 'Something above needs a change. Nothing was saved, and nothing is lost.');
      return;
    }
    const { listing, preview } = stored;
    const reason = textIn(place, 'reason').trim();
    const patch: Patch = {
      ...(draft.title !== listing.title && { title: draft.title }),
      ...(draft.description !== listing.description && { description: draft.description }),
      ...pricePatch(draft, listing),
      ...(JSON.stringify(draft.preview) !== JSON.stringify(preview) && { preview: draft.preview }),
    };
    if (Object.keys(patch).length === 0) {
      say('', 'Nothing differs from what buyers see now.');
      return;
    }
    say('waiting', 'Saving…');
    await session.api.updateListing({ listingId, ...patch, ...(reason !== '' && { reason }) });
    kept.forget();
    fillForm(place, { reason: '' });
    await session.refresh();
    say('done', 'Saved. Buyers see it now, and the history of the listing tells of it.');
  }

  async function showRefusal(error: unknown): Promise<void> {
    if (error instanceof MarketplaceError && error.status === 401) {
      say('stop', 'Your key was refused, so nothing was saved. Enter one that is in use. Nothing is lost.');
      await session?.refresh();
      return;
    }
    script?.check(faultsIn(error, ''));
    say('stop', refusalText(error, 'saved'));
  }

  function onMarket({ api, refresh }: Session, { listing }: Detail): HTMLElement {
    const isOn = listing.status !== 'inactive';
    return actionForm(isOn ? 'Take it off the market' : 'Put it back on sale', [], async () => {
      await (isOn ? api.deactivateListing({ listingId }) : api.updateListing({ listingId, active: true }));
      await refresh();
      say('done', isOn ? 'It is off the market. What was sold stays sold.' : 'It is on sale again.');
      return null;
    });
  }

  return {
    async draw(opened: Session): Promise<HTMLElement[]> {
      const [detail, { id }] = await Promise.all([
        opened.api.getListing({ listingId }),
        opened.api.getOwnAgent(),
      ]);
      if (detail.listing.sellerId !== id) {
        place.hidden = true;
        return [
          element('p', { class: 'note stop', role: 'alert' }, 'This listing belongs to another seller.'),
        ];
      }
      session = opened;
      stored = detail;
      const { listing, preview } = detail;
      fillForm(place, {
        title: listing.title,
        description: listing.description,
        ...typedPriceTerms(listing),
        preview:
          isJsonObject(preview) && Object.keys(preview).length > 0 ? JSON.stringify(preview, null, 2) : '',
      });
      kept.restore();
      script ??= listingForm(place);
      script.refresh();
      return [
        element(
          'p',
          {},
          untrustedText(oneLine(listing.title, 120)),
          ` is ${LISTING_STATES[listing.status].words}. `,
          element('a', { href: `/listings/${listingId}` }, 'See it as buyers do'),
        ),
        onMarket(opened, detail),
        trial(opened, [{ id: listingId, title: listing.title }]),
      ];
    },
  };
}
