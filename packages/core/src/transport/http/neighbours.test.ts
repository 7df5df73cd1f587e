import { expect, it } from 'vitest';
import { neighbourOf } from './neighbours.ts';

const of = (url: string, outside: 'SITE' | null = null) =>
  neighbourOf<string>(new Request(url), '/api', { '/mcp': 'MCP', '/ingress': 'INGRESS' }, outside);

it.each([
  ['http://localhost:8787/api/mcp', 'MCP'],
  ['http://localhost:8787/api/mcp?x=1', 'MCP'],
  ['https://a.example/api/mcp/', 'MCP'],
  ['https://a.example/api/ingress/admit', 'INGRESS'],
  ['https://a.example/api/mcpx', null],
  ['https://a.example/api/mctpay/mcp', null],
  ['https://a.example/mcp', null],
  ['https://a.example/api', null],
  ['https://a.example/x/api/mcp', null],
])('%s → %s', (url, binding) => {
  expect(of(url)).toBe(binding);
});

it.each([
  ['https://a.example/', 'SITE'],
  ['https://a.example/?x=/api', 'SITE'],
  ['https://a.example/apis', 'SITE'],
  ['https://a.example/listings/api/mcp', 'SITE'],
  ['https://a.example/openapi.json', null],
  ['https://a.example/.well-known/agent-card.json?x', null],
  ['https://a.example/openapi.json/x', 'SITE'],
  ['https://a.example/x/openapi.json', 'SITE'],
  ['https://a.example/api', null],
  ['https://a.example/api?x', null],
  ['https://a.example/api/agents', null],
  ['https://a.example/api/mcp', 'MCP'],
])('outside of the root: %s → %s', (url, binding) => {
  expect(of(url, 'SITE')).toBe(binding);
});
