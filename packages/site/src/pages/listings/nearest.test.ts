import { expect, it } from 'vitest';
import { nearest } from './nearest.ts';

const NAMED = [
  { slug: 'weather-environment', name: 'Weather and environment' },
  { slug: 'transport-logistics', name: 'Transport and logistics' },
  { slug: 'apis', name: 'APIs' },
];
const slugs = (text: string, more = {}) => nearest(text, NAMED, more).map(({ slug }) => slug);

it('finds what is written alike, and nothing where nothing is', () => {
  expect(slugs('wether forcast')).toEqual(['weather-environment']);
  expect(slugs('enviroment')).toEqual(['weather-environment']);
  expect(slugs('transportation')).toEqual(['transport-logistics']);
  for (const text of ['', 'qqzzxx', 'of the', '%%%', 'x'.repeat(200)]) expect(slugs(text), text).toEqual([]);
  expect(slugs('logistic transport', { most: 1, atLeast: 0 })).toEqual(['transport-logistics']);
});
