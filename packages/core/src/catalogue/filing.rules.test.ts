import { describe, expect, it } from 'vitest';
import { CATEGORIES, VERTICALS } from './catalogue.data.ts';
import { fileListing } from './filing.rules.ts';

describe('fileListing', () => {
  it('files by the words of the title', () => {
    const filing = fileListing({ title: 'Hourly weather forecast', description: 'For any city.' });
    expect(filing).toMatchObject({ method: 'matched', vertical: { slug: 'weather-environment' } });
    expect(filing.matchedKeywords).toContain('weather');
  });

  it('finds every vertical by its own name', () => {
    for (const vertical of VERTICALS.filter(({ isGeneral }) => !isGeneral)) {
      const filing = fileListing({ title: vertical.name, description: vertical.keywords.join(', ') });
      expect([vertical.name, filing.vertical.slug]).toEqual([vertical.name, vertical.slug]);
    }
  });

  it.each(CATEGORIES.map(({ slug }) => slug))('keeps to the hinted category %s', (category) => {
    const filing = fileListing({ title: 'Hourly weather forecast', description: 'For any city.', category });
    expect(filing.vertical.categorySlug).toBe(category);
    if (category !== 'data')
      expect(filing.method === 'general' || filing.matchedKeywords.length > 0).toBe(true);
  });

  it('takes words for words, not for parts of others', () => {
    const filing = fileListing({ title: 'Xqzzy', description: 'Xweatherx forecastingly' });
    expect(filing.method).toBe('general');
  });

  it('files under other when nothing fits and nothing is hinted', () => {
    expect(fileListing({ title: 'Xqzzy', description: 'Plugh.' })).toMatchObject({
      method: 'general',
      vertical: { slug: 'other-general' },
      matchedKeywords: [],
    });
  });

  it('never files under an excluded vertical', () => {
    const filing = fileListing({ title: 'Personal health data', description: 'blood test results' }, [
      'personal-health',
    ]);
    expect(filing.vertical.slug).not.toBe('personal-health');
  });
});
