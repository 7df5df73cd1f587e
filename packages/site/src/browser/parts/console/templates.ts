import type { StateKind } from '../../../format/state-kind.ts';

/** A copy of what a page has in the `<template>` of this id, as the server drew it. */
export function fromTemplate(id: string): HTMLElement {
  const template = document.querySelector<HTMLTemplateElement>(`template#${id}`);
  const first = template?.content.firstElementChild;
  if (!(first instanceof HTMLElement)) throw new Error(`The page has no template "${id}".`);
  return document.importNode(first, true);
}

/** What something stands at, as `StateBadge` draws it. Only on pages in the frame of a console. */
export function stateBadge(kind: StateKind, words: string): HTMLElement {
  const badge = document
    .querySelector<HTMLTemplateElement>('template#states')
    ?.content.querySelector(`.${kind}`);
  if (!(badge instanceof HTMLElement)) throw new Error('The page has no badges of states.');
  const copy = document.importNode(badge, true);
  copy.lastChild?.replaceWith(words);
  return copy;
}
