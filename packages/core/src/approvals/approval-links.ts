import type { Settings } from '../kernel/operation/operation.ts';
import { linkWithCode } from '../mail/index.ts';

interface Place {
  readonly settings: Pick<Settings, 'siteUrl'>;
  readonly baseUrl: string;
}

/** The origin of the site, whose host passkeys are for. */
export function siteOf({ settings, baseUrl }: Place): string {
  return new URL(settings.siteUrl ?? baseUrl).origin;
}

export function approvalLinks(place: Place) {
  const site = siteOf(place);
  return {
    page: (id: string) => `${site}/approvals/${id}`,
    decision: (id: string, token: string) => linkWithCode(`${site}/approvals/${id}`, token),
    enrolment: (token: string) => linkWithCode(`${site}/approvals`, token),
  };
}
