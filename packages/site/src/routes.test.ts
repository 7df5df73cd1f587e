import { expect, test } from 'vitest';
import { definePage } from './page.ts';
import { createRoutes } from './routes.ts';

const view = { title: '', description: '', main: null };
const page = (path: string) => definePage({ path, get: () => view });
const find = createRoutes(['/', '/a', '/a/{id}', '/a/{id}/b.c', '/a/{id}/{other}'].map(page));

test.each([
  ['/', '/', {}],
  ['/a', '/a', {}],
  ['/a/1', '/a/{id}', { id: '1' }],
  ['/a/%2F%C3%BC', '/a/{id}', { id: '/ü' }],
  ['/a/1/b.c', '/a/{id}/b.c', { id: '1' }],
  ['/a/1/bxc', '/a/{id}/{other}', { id: '1', other: 'bxc' }],
])('%s is %s', (path, pattern, params) => {
  const route = find(path);
  expect([route?.page.path, { ...route?.params }]).toEqual([pattern, params]);
});

test.each(['', '/A', '/a/', '/a//b', '/b', '/a/1/2/3', '/a/%', '/a/%ff'])('%j is no page', (path) => {
  expect(find(path)).toBeNull();
});
