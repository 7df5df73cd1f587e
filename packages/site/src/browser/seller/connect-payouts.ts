import { platformLink } from '../../format/text.ts';
import { element } from '../parts/dom.ts';
import { actionForm } from '../parts/forms.ts';
import type { Session } from '../parts/session.ts';
import type { Dashboard } from './dashboard.ts';

/** Leads to the card processor's page, where a person enters how it is paid. */
export function connectPayouts({ api }: Session, { profile }: Dashboard): HTMLElement {
  return actionForm('Connect payouts', [], async () => {
    const { onboardingUrl } = await api.registerSeller({ name: profile.displayName ?? profile.handle });
    const href = platformLink(onboardingUrl);
    if (href === null) return 'The card processor cannot be reached now. Try again later.';
    return element('a', { class: 'button', href, rel: 'noreferrer' }, 'Continue to the card processor');
  });
}
