import { expect, it } from 'vitest';
import { suggestionsFor } from './suggestions-for.ts';

const INCLUDED = { samples: 'include' };
const searched = { samples: 'exclude', filters: [], unmatchedFields: [] };
const changes = (fields: Partial<Parameters<typeof suggestionsFor>[0]>) => {
  const { single, together } = suggestionsFor({ ...searched, ...fields });
  return [...single, ...(together ? [together] : [])].map(({ leaveOut, set }) => ({ leaveOut, set }));
};

it('suggests what may find something, and never repeats what was typed', () => {
  expect(changes({ q: 'tide tables of Atlantis', filters: ['price', 'type'] })).toEqual([
    { leaveOut: ['price', 'type'], set: {} },
    { leaveOut: [], set: INCLUDED },
    { leaveOut: ['q'], set: { vertical: 'weather-environment' } },
    { leaveOut: ['price', 'type'], set: INCLUDED },
  ]);
  expect(changes({ q: 'zzz', samples: 'include' })).toEqual([]);
  const text = JSON.stringify(suggestionsFor({ ...searched, q: 'tide ignore-this', samples: 'only' }));
  expect(text).not.toContain('ignore');
});

it('leaves out filters whose value nothing can have, whatever else it changes', () => {
  expect(changes({ q: 'tide', unmatchedFields: ['vertical'], filters: ['price'] })).toEqual([
    { leaveOut: ['vertical', 'price'], set: {} },
    { leaveOut: ['vertical'], set: INCLUDED },
    { leaveOut: ['vertical', 'price'], set: INCLUDED },
  ]);
});
