import { waitText } from '../../../format/figures.ts';
import { AGENT_KEY } from '../agent-key.ts';
import { copyable } from '../copyable.ts';
import { element, offerFile } from '../dom.ts';
import { draw } from '../order/draw.ts';

/** Makes the form that gets a key work. `referralSource` says on which page it stands. */
export function offerRegistration(referralSource: string): void {
  const form = document.querySelector<HTMLFormElement>('#register');
  if (!form) return;
  form.hidden = false;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void register(form, referralSource);
  });
}

async function register(form: HTMLFormElement, referralSource: string): Promise<void> {
  const status = form.querySelector<HTMLElement>('.form-status');
  const button = form.querySelector('button');
  const name = new FormData(form).get('name');
  if (!status || !button) return;
  button.disabled = true;
  status.textContent = 'Making a key…';
  const answer = await requestKey(form.dataset.api ?? '/api', { name: String(name).trim(), referralSource });
  button.disabled = false;
  if ('failure' in answer) {
    status.classList.add('bad');
    status.textContent = answer.failure;
    return;
  }
  showKey(form, answer.apiKey);
}

async function requestKey(
  api: string,
  body: { readonly name: string; readonly referralSource: string },
): Promise<{ apiKey: string } | { failure: string }> {
  let failure = 'No key was made. Try again in a minute.';
  try {
    const response = await fetch(`${api}/agents/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (response.status === 429) {
      const wait = waitText(Number(response.headers.get('retry-after')));
      failure = `There were too many requests from your address, so no key was made. Try again ${wait}.`;
      return { failure };
    }
    const { apiKey, title } = (await response.json()) as { apiKey?: unknown; title?: unknown };
    if (typeof apiKey === 'string') return { apiKey };
    return { failure: typeof title === 'string' ? `${title} No key was made.` : failure };
  } catch {
    return { failure };
  }
}

/** The key is shown once: the marketplace keeps only its hash. */
function showKey(form: HTMLFormElement, apiKey: string): void {
  const place = document.querySelector<HTMLElement>('#registered');
  if (!place) return;
  sessionStorage.setItem(AGENT_KEY, apiKey);
  form.remove();
  place.className = 'note done stack';
  place.replaceChildren(
    element('strong', {}, 'This is your key. It is shown only once: copy or save it now.'),
    element('p', {}, copyable('the key', apiKey, apiKey)),
    element(
      'p',
      { class: 'actions' },
      offerFile(`${apiKey}\n`, 'agent-key.txt', { type: 'text/plain' }),
      element('a', { class: 'button quiet', href: '/console' }, 'Open your console'),
    ),
    forPhone(apiKey),
    element(
      'p',
      { class: 'actions' },
      element('a', { class: 'button', href: '/wallet' }, 'Add money'),
      element('a', { class: 'button quiet', href: '/listings?price=free' }, 'See what is free'),
      element('a', { class: 'button quiet', href: '/seller/listings/new' }, 'Sell something'),
    ),
    element(
      'p',
      { class: 'fine' },
      'It is open in this tab until you close it or forget it in your console.',
    ),
  );
  place.focus();
}

/** The key to be scanned. It is no link: a key in an address would be kept by the phone's browser. */
function forPhone(apiKey: string): HTMLElement {
  const place = element('div', { class: 'stack' });
  const whole = element('details', {}, element('summary', {}, 'Show it to your phone'), place);
  whole.addEventListener(
    'toggle',
    async () => {
      const { keyCode } = await import('./key-code.ts');
      place.append(
        draw(keyCode(apiKey)),
        element(
          'p',
          {},
          'Scan it with the camera of your phone and copy the text. Then open this site there, choose Buyer, and paste it. Nobody else should see this code.',
        ),
      );
    },
    { once: true },
  );
  return whole;
}
