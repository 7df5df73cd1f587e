import { keySetOf, verifyResponse } from '@agent-marketplace/sdk';
import { AGENT_KEY } from './parts/agent-key.ts';
import { copyable } from './parts/copyable.ts';
import { element, offerFile } from './parts/dom.ts';
import { showVerdict } from './parts/show-verdict.ts';

// The start page: checks the record of a sale when it is opened, and registers who wants to buy.

const record = document.querySelector<HTMLDetailsElement>('#record');
record?.addEventListener('toggle', () => void checkRecord(record), { once: true });

const form = document.querySelector<HTMLFormElement>('#register');
if (form) {
  form.hidden = false;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void register(form);
  });
}

/** Reads the record again, as the marketplace signs it now, and checks the signature with its public keys. */
async function checkRecord({ dataset }: HTMLDetailsElement): Promise<void> {
  const place = document.querySelector<HTMLElement>('#record-verdict');
  if (!place) return;
  const api = dataset.api ?? '/api';
  place.textContent = 'Checking the signature in your browser…';
  const [answer, keys] = await Promise.all([
    read(`${api}/proof/demand?limit=100`),
    read(`${api}/signing-key`),
  ]);
  if (answer === null || keys === null) {
    showVerdict(place, 'The record could not be read again. Try again in a minute.', false);
    return;
  }
  const checked = await verifyResponse(answer, keySetOf(keys));
  if (!checked.valid) {
    showVerdict(place, `Checked in your browser: the signature is not valid. ${checked.detail}`, false);
    return;
  }
  const { ledger } = checked.body as { ledger?: readonly { id?: unknown }[] };
  const isThere = ledger?.some(({ id }) => id === dataset.sale) ?? false;
  showVerdict(
    place,
    isThere
      ? 'Checked in your browser: the marketplace signed the record of this sale, and nobody changed it since.'
      : 'The answer is signed, and more than a hundred sales were recorded since this page was opened. Reload it.',
    isThere,
  );
}

async function read(url: string): Promise<object | null> {
  try {
    const response = await fetch(url, { headers: { accept: 'application/json' } });
    return response.ok ? ((await response.json()) as object) : null;
  } catch {
    return null;
  }
}

async function register(form: HTMLFormElement): Promise<void> {
  const status = form.querySelector<HTMLElement>('.form-status');
  const button = form.querySelector('button');
  const name = new FormData(form).get('name');
  if (!status || !button) return;
  button.disabled = true;
  status.textContent = 'Making a key…';
  const answer = await requestKey(form.dataset.api ?? '/api', String(name).trim());
  button.disabled = false;
  if ('failure' in answer) {
    status.classList.add('bad');
    status.textContent = answer.failure;
    return;
  }
  showKey(form, answer.apiKey);
}

async function requestKey(api: string, name: string): Promise<{ apiKey: string } | { failure: string }> {
  const failure = 'No key was made. Try again in a minute.';
  try {
    const response = await fetch(`${api}/agents/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name, referralSource: 'start page' }),
    });
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
  const wallet = element('a', { class: 'button', href: '/wallet' }, 'Add money');
  const listings = element('a', { class: 'button quiet', href: '/listings?price=free' }, 'See what is free');
  place.className = 'note done stack';
  place.replaceChildren(
    element('strong', {}, 'This is your key. It is shown only once: copy or save it now.'),
    element('p', {}, copyable('the key', apiKey, apiKey)),
    element(
      'p',
      { class: 'actions' },
      wallet,
      listings,
      offerFile(`${apiKey}\n`, 'agent-key.txt', { type: 'text/plain' }),
    ),
    element('p', { class: 'fine' }, 'It is open in this tab until you close it or forget it in the wallet.'),
  );
  place.focus();
}
