import { expect, it } from 'vitest';
import { neighbourOf } from './neighbours.ts';

const of = (url: string) => neighbourOf(new Request(url), '/api', { '/mcp': 'MCP', '/ingress': 'INGRESS' });

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
