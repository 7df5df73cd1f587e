import { fileListing } from '../../catalogue/index.ts';

/** A change of the search that may find something. */
export interface Suggestion {
  /** Parameters to leave out. */
  leaveOut: string[];
  /** Parameters to set. */
  set: Record<string, string>;
  text: string;
}

/** What was asked, by the names of parameters. */
export interface Searched {
  readonly q?: string | undefined;
  readonly samples: string;
  /** Filters that were set, in the order of the documentation. */
  readonly filters: string[];
}

/** What to try where nothing was found. Nothing that the caller typed is repeated. */
export function suggestionsFor({ q, samples, filters }: Searched): Suggestion[] {
  const suggestions: Suggestion[] = [];
  if (filters.length > 0)
    suggestions.push({ leaveOut: filters, set: {}, text: 'Leave out filters: more listings match then.' });
  if (samples === 'exclude')
    suggestions.push({
      leaveOut: [],
      set: { samples: 'include' },
      text: "Include the platform's free reference listings.",
    });
  const filing = q?.trim() ? fileListing({ title: q, description: '' }) : null;
  if (filing?.method === 'matched' && !filters.includes('vertical'))
    suggestions.push({
      leaveOut: ['q'],
      set: { vertical: filing.vertical.slug },
      text: `Browse the vertical ${filing.vertical.name}.`,
    });
  return suggestions;
}
