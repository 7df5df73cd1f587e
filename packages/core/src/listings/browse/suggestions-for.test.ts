import { expect, it } from 'vitest';
import { suggestionsFor } from './suggestions-for.ts';

const changes = (...searched: Parameters<typeof suggestionsFor>) =>
  suggestionsFor(...searched).map(({ leaveOut, set }) => ({ leaveOut, set }));

it('suggests what may find something, and never repeats what was typed', () => {
  expect(changes({ q: 'tide tables of Atlantis', samples: 'exclude', filters: ['price', 'type'] })).toEqual([
    { leaveOut: ['price', 'type'], set: {} },
    { leaveOut: [], set: { samples: 'include' } },
    { leaveOut: ['q'], set: { vertical: 'weather-environment' } },
  ]);
  expect(changes({ q: 'zzz', samples: 'include', filters: [] })).toEqual([]);
  const text = JSON.stringify(suggestionsFor({ q: 'tide ignore-this', samples: 'only', filters: [] }));
  expect(text).not.toContain('ignore');
});
