import { createMarketplaceClient, type MarketplaceClient } from '@agent-marketplace/sdk';
import { AGENT_KEY, openDesk, withApiKey } from './parts/desk.ts';
import { element, section, timeOf, untrustedText } from './parts/dom.ts';
import { actionForm } from './parts/forms.ts';
import { makePasskey } from './parts/passkey.ts';

// The mailed link has its token behind the fragment, which no server sees.
const token = new URLSearchParams(location.hash.slice(1)).get('token');
const place = document.querySelector<HTMLElement>('#desk');
if (token !== null && place) {
  history.replaceState(null, '', location.pathname);
  document.querySelector('#without-script')?.remove();
  const api = createMarketplaceClient({
    baseUrl: place.dataset.api ?? '/api',
    fetch: (...call) => fetch(...call),
  });
  const done = async () => {
    place.replaceChildren(element('p', { class: 'note', role: 'status' }, 'The passkey is enrolled.'));
  };
  place.replaceChildren(enrolment(api, { token }, done));
} else {
  openDesk(AGENT_KEY, withApiKey, async ({ api, refresh }) => {
    const { passkeys } = await api.listPasskeys({});
    const known = passkeys.map(({ createdAt, label }) => [untrustedText(label), timeOf(createdAt)] as const);
    return [
      section(
        'Passkeys',
        known.length === 0
          ? element('p', { class: 'soft' }, 'None yet.')
          : element('ul', {}, ...known.map(([label, at]) => element('li', {}, label, ', since ', at))),
      ),
      enrolment(api, {}, refresh),
    ];
  });
}

function enrolment(
  api: MarketplaceClient,
  proof: { readonly token?: string },
  done: () => Promise<void>,
): HTMLElement {
  return section(
    'Enrol a passkey',
    element('p', {}, 'Do it on the device that you approve with, such as your phone.'),
    actionForm(
      'Enrol a passkey',
      [
        {
          name: 'label',
          label: 'Name of the device',
          type: 'text',
          attributes: { required: '', maxlength: '64' },
        },
      ],
      async ({ label = '' }) => {
        const passkey = await makePasskey(await api.challengePasskey(proof), label);
        await api.enrolPasskey({ ...proof, label, passkey });
        await done();
        return null;
      },
    ),
  );
}
