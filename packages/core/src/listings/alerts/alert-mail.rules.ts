import { oneLine } from '../../mail/mail.rules.ts';

/** What a mail of an alert says. It names no title: a seller would write into the mail. */
export function alertMailText(
  q: string | null,
  listingIds: readonly string[],
  siteUrl: string | null,
): string {
  const places = listingIds.map((id) => `${siteUrl ?? ''}/listings/${id}`);
  return `You asked to be told when something is for sale that a search of yours finds${q === null ? '' : `: ${oneLine(q)}`}.

${places.join('\n')}

This alert is over: you get no more mail about it.
`;
}
