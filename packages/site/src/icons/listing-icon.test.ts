import { CATEGORIES, VERTICALS } from '@agent-marketplace/core/catalogue/catalogue.data.ts';
import { expect, test } from 'vitest';
import { CATEGORY_ICONS } from './category-icons.data.ts';
import { categoryIcon, listingIcon } from './listing-icon.ts';
import { VERTICAL_ICONS } from './vertical-icons.data.ts';

test('each category has an icon, and each vertical that is not general one of its own', () => {
  expect(Object.keys(CATEGORY_ICONS).sort()).toEqual(CATEGORIES.map(({ slug }) => slug).sort());
  const particular = VERTICALS.filter(({ isGeneral }) => !isGeneral).map(({ slug }) => slug);
  expect(Object.keys(VERTICAL_ICONS).sort()).toEqual(particular.sort());
  expect(listingIcon('data-general', 'data')).toBe(CATEGORY_ICONS.data);
});

test('a slug that is the name of something else has the icon of what fits nowhere', () => {
  expect(categoryIcon('constructor')).toBe(CATEGORY_ICONS.other);
  expect(listingIcon('toString', '__proto__')).toBe(CATEGORY_ICONS.other);
});
