import { isJsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { CliFailure } from '../frame/cli-failure.ts';
import type { Shell } from '../frame/shell.ts';
import { money } from '../output/money.ts';
import { plainLine, plainText, printableJson } from '../output/plain-text.ts';
import type { ListingDraft } from './draft-listing.rules.ts';

/** The listing as buyers will see it, and what was left out on the way. */
export function showListing(
  draft: ListingDraft,
  notes: readonly string[],
  { colours }: Pick<Shell, 'colours'>,
): string {
  const { title, description, priceCents, vertical, preview, inputSchema, outputSchema } = draft;
  const fields = ({ properties }: ListingDraft['inputSchema']) =>
    (isJsonObject(properties) ? Object.keys(properties) : []).join(', ') || 'anything';
  return [
    colours.bold(plainLine(title)),
    `${money(priceCents)} an answer · ${vertical ?? 'filed by the marketplace'}`,
    '',
    plainText(description),
    '',
    `Query: ${plainLine(fields(inputSchema))}`,
    `Answer: ${plainLine(fields(outputSchema))}`,
    '',
    colours.dim('Preview, which everybody sees'),
    printableJson(preview, 2),
    ...(notes.length === 0 ? [] : ['', colours.dim('Notes'), ...notes.map((note) => `- ${plainLine(note)}`)]),
  ].join('\n');
}

/** @throws CliFailure unless the seller agrees. */
export async function requireConsent(
  shell: Shell,
  draft: ListingDraft,
  notes: readonly string[],
  isGranted: boolean,
): Promise<void> {
  shell.note(showListing(draft, notes, shell));
  shell.note('');
  if (isGranted) return;
  if (!shell.isInteractive) {
    throw new CliFailure('usage', 'Nothing is listed: nobody can be asked here.', {
      hint: 'To list it, add --yes: you own it or may sell it, and it is not resold data.',
    });
  }
  if (await shell.confirm('List it? You own it or may sell it, and it is not resold data.')) return;
  throw new CliFailure('interrupted', 'Nothing was listed.');
}
