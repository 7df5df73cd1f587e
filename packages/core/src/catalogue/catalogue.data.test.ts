import { describe, expect, it } from 'vitest';
import {
  CATEGORIES,
  PERSONAL_HEALTH_VERTICAL_SLUG,
  RESEARCH_VERTICAL_SLUG,
  VERTICALS,
} from './catalogue.data.ts';

const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/;

describe('categories', () => {
  it('are the 13 macro-categories of the specification', () => {
    expect(CATEGORIES.map((category) => category.slug)).toEqual([
      'data',
      'services',
      'investments',
      'digital-assets',
      'real-estate',
      'products',
      'documents',
      'jobs',
      'compute',
      'access',
      'capital',
      'ip',
      'other',
    ]);
  });

  it.each(CATEGORIES.map((category) => category.slug))('%s has one general vertical', (slug) => {
    const general = VERTICALS.filter((vertical) => vertical.categorySlug === slug && vertical.isGeneral);
    expect(general.map((vertical) => vertical.slug)).toEqual([`${slug}-general`]);
  });
});

describe('verticals', () => {
  it('are 42 to 50, each in a category that exists', () => {
    const categories = new Set(CATEGORIES.map((category) => category.slug));
    expect(VERTICALS.length).toBeGreaterThanOrEqual(42);
    expect(VERTICALS.length).toBeLessThanOrEqual(50);
    expect(VERTICALS.filter((vertical) => !categories.has(vertical.categorySlug))).toEqual([]);
  });

  it('have unique, well-formed slugs and unique names', () => {
    const slugs = VERTICALS.map((vertical) => vertical.slug);
    expect(new Set(slugs).size).toBe(slugs.length);
    expect(slugs.filter((slug) => !SLUG.test(slug))).toEqual([]);
    expect(new Set(VERTICALS.map((vertical) => vertical.name)).size).toBe(VERTICALS.length);
  });

  it('have one emoji as icon', () => {
    for (const { icon } of [...CATEGORIES, ...VERTICALS]) expect(icon).toMatch(/^\p{RGI_Emoji}$/v);
  });

  it('have 8 to 20 lower-case keywords each, and none that two verticals share', () => {
    const owner = new Map<string, string>();
    for (const { slug, keywords } of VERTICALS) {
      expect(keywords.length, slug).toBeGreaterThanOrEqual(8);
      expect(keywords.length, slug).toBeLessThanOrEqual(20);
      for (const keyword of keywords) {
        expect(keyword).toBe(keyword.toLowerCase().trim());
        expect(owner.get(keyword), `${keyword} of ${slug}`).toBeUndefined();
        owner.set(keyword, slug);
      }
    }
  });

  it('include the research shelf and personal health', () => {
    const categoryOf = (slug: string) => VERTICALS.find((vertical) => vertical.slug === slug)?.categorySlug;
    expect(categoryOf(RESEARCH_VERTICAL_SLUG)).toBe('documents');
    expect(categoryOf(PERSONAL_HEALTH_VERTICAL_SLUG)).toBe('data');
  });
});
