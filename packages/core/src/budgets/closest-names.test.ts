import { expect, it } from 'vitest';
import { closestNames } from './closest-names.ts';

it.each([
  ['walet', ['card', 'checkout', 'wallet'], 'wallet'],
  ['crd', ['checkout', 'wallet', 'x402', 'card'], 'card'],
  ['weather-data', ['web-data-feeds', 'weather-environment', 'travel'], 'weather-environment'],
])('the closest name to %s of %j is %s', (name, known, closest) => {
  const names = closestNames(name, known);
  expect([names[0], names.length]).toEqual([closest, 3]);
});

it('of no names there is none, and of a letter any', () => {
  expect(closestNames('weather', [])).toEqual([]);
  expect(closestNames('a', ['b', 'c', 'd', 'e'])).toEqual(['b', 'c', 'd']);
});
