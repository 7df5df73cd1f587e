import { MarketplaceError, type Operations } from '@agent-marketplace/sdk';
import { oneLine } from '../../format/text.ts';
import { element, untrustedText } from '../parts/dom.ts';
import { keepAttempt, keepForm, textIn } from '../parts/kept-form.ts';
import type { Session } from '../parts/session.ts';
import { CHALLENGE_TIMEOUT_MS, failedChallenge } from './challenge-list.ts';
import { connectPayouts } from './connect-payouts.ts';
import { type Dashboard, readDashboard } from './dashboard.ts';
import { listingForm } from './listing-form.ts';
import { faultsIn, refusalText, submitOnce } from './submit-listing.ts';

type Published = Operations['createListing']['output'];
type CallbackType = Operations['setDeliveryEndpoint']['output']['callbackType'];

const DRAFT = 'new-listing';
const ATTEMPT = 'new-listing-attempt';

/** Lists something: what was typed stays in the tab until it is on the market. */
export function newListing(place: HTMLFormElement) {
  const kept = keepForm(place, DRAFT);
  const keyFor = keepAttempt(ATTEMPT);
  const isRestored = kept.restore();
  const script = listingForm(place);
  const outcome = document.querySelector<HTMLElement>('#outcome');
  if (isRestored) show(element('p', { class: 'fine' }, 'What you typed in this tab before is filled in.'));
  let session: Session | null = null;
  let dashboard: Dashboard | null = null;
  place.addEventListener('input', kept.save);
  place.addEventListener('change', kept.save);
  submitOnce(place, submit, showRefusal);

  function show(...parts: readonly Node[]): void {
    outcome?.replaceChildren(...parts);
  }

  function stop(text: string): void {
    show(element('p', { class: 'note stop', role: 'alert' }, text));
  }

  async function submit(): Promise<void> {
    const { listing, faults: found } = script.read();
    const faults = new Map(found);
    if (textIn(place, 'consent') === '')
      faults.set('consent', 'Tick this: only what you own, or may sell, can be listed.');
    const address = addressFault();
    if (address !== null) faults.set('callbackUrl', address);
    if (!script.check(faults)) {
      stop(
        'Something above needs a change before this can go on sale. Nothing was sent, and nothing is lost.',
      );
      return;
    }
    if (session === null) {
      stop('Enter your API key above, or make one: it says whose listing this is. Nothing is lost.');
      document.querySelector<HTMLElement>('#key')?.focus();
      return;
    }
    if (!(await proveAddress(session))) return;
    show(progress('Putting it on the market'));
    const sent = { ...listing, consent: true as const };
    const answer = await session.api.createListing(sent, { idempotencyKey: keyFor(JSON.stringify(sent)) });
    kept.forget();
    dashboard = await readDashboard(session.api);
    showPublished(session, answer);
  }

  /** Null: the address may be sent, or there is none. */
  function addressFault(): string | null {
    const text = textIn(place, 'callbackUrl').trim();
    if (text === '' || dashboard?.endpoint) return null;
    const url = URL.parse(text);
    return url === null || !['https:', 'http:'].includes(url.protocol)
      ? 'Write the whole address, such as https://api.example.com/deliver.'
      : null;
  }

  /** Sends the challenge, where an address was typed in; whether all is well. */
  async function proveAddress({ api }: Session): Promise<boolean> {
    const callbackUrl = textIn(place, 'callbackUrl').trim();
    const callbackType = textIn(place, 'callbackType') as CallbackType;
    if (callbackUrl === '' || dashboard?.endpoint) return true;
    show(progress('Sending the challenge to your address, up to 15 seconds'));
    try {
      await api.setDeliveryEndpoint({ callbackUrl, callbackType }, { timeoutMs: CHALLENGE_TIMEOUT_MS });
      dashboard = await readDashboard(api);
      showAddress();
      return true;
    } catch (error) {
      if (!(error instanceof MarketplaceError) || [401, 403, 429].includes(error.status)) throw error;
      script.check(new Map([['callbackUrl', 'This address did not pass: see below what happened.']]));
      show(
        failedChallenge(callbackType, error),
        element(
          'p',
          {},
          'The listing is not sent yet, and nothing is lost. Mend the address and send it again, or empty the address to save the listing and prove it later.',
        ),
      );
      return false;
    }
  }

  function showAddress(): void {
    const known = document.querySelector<HTMLElement>('#address-known');
    const fields = document.querySelector<HTMLElement>('#address-new');
    const endpoint = dashboard?.endpoint ?? null;
    if (!known || !fields) return;
    known.hidden = endpoint === null;
    fields.hidden = endpoint !== null;
    if (endpoint === null) return;
    known.replaceChildren(
      element('p', { class: 'note done' }, 'Verified: ', untrustedText(endpoint.callbackUrl)),
      element(
        'p',
        { class: 'fine' },
        'All your listings are answered from there. Change it on the page ',
        element('a', { href: '/seller/endpoint' }, 'Endpoint'),
        '.',
      ),
    );
  }

  function showPublished(from: Session, { listing, filing }: Published): void {
    const isLive = listing.status === 'active';
    place.hidden = true;
    for (const part of document.querySelectorAll<HTMLElement>('[data-script], #who-sells'))
      part.hidden = true;
    const link = element(
      'a',
      { class: isLive ? 'button' : 'button quiet', href: `/listings/${listing.id}` },
      'See it as buyers do',
    );
    const another = element('a', { class: 'button quiet', href: '/seller/listings/new' }, 'List another');
    show(
      element('h2', {}, isLive ? 'It is on sale' : 'It is saved, and not on sale yet'),
      element('p', {}, untrustedText(oneLine(listing.title, 200)), `, filed under ${listing.verticalName}.`),
      ...(filing.method === 'general'
        ? [
            element(
              'p',
              { class: 'fine' },
              'Its words fit no narrower category. Clearer words help buyers find it.',
            ),
          ]
        : []),
      ...(isLive ? [] : missing(from, listing.priceCents)),
      element('p', { class: 'actions' }, link, another),
    );
    outcome?.focus();
  }

  /** What a listing waits for, each with what to do. */
  function missing(from: Session, priceCents: number): HTMLElement[] {
    const needs = [
      !dashboard?.endpoint &&
        element(
          'li',
          {},
          'The address of your API: ',
          element('a', { href: '/seller/endpoint' }, 'prove that it is yours'),
          '.',
        ),
      priceCents > 0 &&
        dashboard !== null &&
        !dashboard.payouts.connected &&
        element(
          'li',
          {},
          'Where you are paid: enter your details with the card processor, not here.',
          connectPayouts(from, dashboard),
        ),
    ].filter((one) => one !== false);
    return [element('p', {}, 'It goes on sale by itself once this is done:'), element('ol', {}, ...needs)];
  }

  async function showRefusal(error: unknown): Promise<void> {
    if (error instanceof MarketplaceError && error.status === 401) {
      stop(
        'Your key was refused, so nothing was listed. Enter one that is in use. Nothing you typed is lost.',
      );
      await session?.refresh();
      session = null;
      return;
    }
    script.check(faultsIn(error, textIn(place, 'question')));
    stop(refusalText(error, 'listed'));
  }

  return {
    /** Called once a key is open: whose listing it will be. */
    async draw(opened: Session): Promise<HTMLElement[]> {
      dashboard = await readDashboard(opened.api);
      session = opened;
      showAddress();
      return [
        element(
          'p',
          { class: 'note done' },
          dashboard === null
            ? 'Your key is open. With this listing you become a seller.'
            : `You sell as ${dashboard.profile.displayName ?? dashboard.profile.sellerLabel}.`,
        ),
      ];
    },
  };
}

function progress(text: string): HTMLElement {
  return element(
    'div',
    { class: 'progress', role: 'status' },
    element('span', {}, text),
    element('progress', { 'aria-label': text }),
  );
}
