import { describe, expect, it } from 'vitest';
import { isReservedDisplayName } from './display-name.rules.ts';

describe('isReservedDisplayName', () => {
  it.each([
    'chair',
    'Team',
    'PLATFORM',
    'admin',
    'Operator',
    'house',
    'support',
    'moderator',
    'system',
    'The Platform',
    'Admin Team',
    'support-team',
    'admin1',
    'a.d.m.i.n',
    'Ａｄｍｉｎ',
    'аdmin',
    '@dmin',
    'adm1n',
    'p1atform',
    'Ádmin',
    'ad\u200bmin',
    'sys\u00adtem',
    'ѕуѕtеm',
    'S Y S T E M',
    '$upport',
    'cha\u0131r',
  ])('%j is reserved', (name) => {
    expect(isReservedDisplayName(name)).toBe(true);
  });

  it.each([
    'Teamwork Analytics',
    'Housemate Finder',
    'Weather Desk',
    'Adminium',
    'Ecosystem Data',
    'Rocket Team',
    '東京データ',
  ])('%j is free', (name) => {
    expect(isReservedDisplayName(name)).toBe(false);
  });
});
