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
  readonly filters: readonly string[];
  /** Filters with a value that nothing can have: each change leaves them out. */
  readonly unmatchedFields: readonly string[];
}

/** Changes to try, and the one to try where none of them helps. */
interface Suggestions {
  readonly single: readonly Suggestion[];
  readonly together: Suggestion | null;
}

/** What to try where nothing was found. Nothing that the caller typed is repeated. */
export function suggestionsFor({ q, samples, filters, unmatchedFields }: Searched): Suggestions {
  const single: Suggestion[] = [];
  const all = [...unmatchedFields, ...filters];
  const mayInclude = samples !== 'include';
  if (all.length > 0)
    single.push({ leaveOut: all, set: {}, text: 'Leave out filters: more listings match then.' });
  if (mayInclude)
    single.push({
      leaveOut: [...unmatchedFields],
      set: { samples: 'include' },
      text: "Include the platform's free reference listings.",
    });
  const filing = q?.trim() ? fileListing({ title: q, description: '' }) : null;
  if (filing?.method === 'matched' && !all.includes('vertical'))
    single.push({
      leaveOut: [...unmatchedFields, 'q'],
      set: { vertical: filing.vertical.slug },
      text: `Browse the vertical ${filing.vertical.name}.`,
    });
  const together =
    mayInclude && all.length > 0
      ? {
          leaveOut: all,
          set: { samples: 'include' },
          text: "Leave out filters, and include the platform's free reference listings.",
        }
      : null;
  return { single, together };
}
