import type { Settings } from '../kernel/operation/operation.ts';

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
    /** Behind a fragment, so that no server and no referrer sees the token. */
    decision: (id: string, token: string) => `${site}/approvals/${id}#token=${token}`,
    enrolment: (token: string) => `${site}/approvals#token=${token}`,
  };
}
