import { describe, expect, it } from 'vitest';
import { clause } from '../../../../test/conformance/clause.ts';
import { isReservedDisplayName } from './display-name.rules.ts';

describe('isReservedDisplayName', () => {
  clause('agents.reserved-names');
  it.each([
    'Agent Marketplace Inc',
    'Agent Marketplaces',
    'Trust & Safety',
    'Billing',
    'Payments Department',
    'Customer Service',
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
    'sys\u3164tem',
    'operators',
    'The Moderators',
    'Vice Chair',
    'chair of the board',
    'Chairwoman',
    'anonymous',
    'Anonymous',
    'an\u200bonymous',
    'Аnоnуmоus',
    'AgentMarketplace',
    'Agent Marketplace',
    'MKT',
  ])('%j is reserved', (name) => {
    expect(isReservedDisplayName(name)).toBe(true);
  });

  it.each([
    ['a seller', 'seller-03f2ed'],
    ['a seller', 'seller-000000'],
    ['a seller', 'seller-facade'],
    ['a buyer', 'buyer-9a8b7c'],
    ['an agent', 'agent-1a2b3c4d'],
    ['in capitals', 'SELLER-03F2ED'],
    ['with a space', 'Seller 03f2ed'],
    ['with another dash', 'seller\u201303f2ed'],
    ['without a dash', 'seller03f2ed'],
    ['with dashes between', 'seller-03-f2-ed'],
    ['around which there is more that is not seen', '\u200bseller\u00ad-03f2ed\u2060'],
    ['in full width', 'ｓｅｌｌｅｒ－０３ｆ２ｅｄ'],
    ['in Cyrillic', 'ѕеllеr-03f2еd'],
    ['with a one for an l', 'se11er-03f2ed'],
    ['with an O for a zero', 'seller-O3f2ed'],
    ['with an l for a one', 'seller-l3f2ed'],
    ['with accents', 'séller-03f2ed'],
  ])('the pseudonym of %s is reserved: %j', (_, name) => {
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
    'Anonymous Weather',
    'MKT Data',
    'Board Games',
    'Vice',
    'Agent 007',
    'Seller',
    'Best Buyer',
    'Seller 42',
    'seller-03f2e',
    'seller-03f2edd',
    'seller-office',
    'Seller Facade',
    'Buyer Decade',
    'agent-1a2b3c',
    'agent-smithson',
    'agent-12345678x',
    'My seller-03f2ed',
  ])('%j is free', (name) => {
    expect(isReservedDisplayName(name)).toBe(false);
  });
});
