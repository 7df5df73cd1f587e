import { apiOperations } from '@agent-marketplace/core/operations/api.ts';
import { ingressOperations } from '@agent-marketplace/core/operations/ingress.ts';
import { mcpOperations } from '@agent-marketplace/core/operations/mcp.ts';
import { x402Operations } from '@agent-marketplace/core/operations/x402.ts';
import { expect, it } from 'vitest';
import { readWorkerConfigs } from './worker-configs.ts';

const SERVED = {
  'marketplace-api': apiOperations,
  'marketplace-ingress': ingressOperations,
  'marketplace-mcp': [...mcpOperations, ...apiOperations],
  'marketplace-x402': x402Operations,
};

const workers = readWorkerConfigs();

it('every Worker has the counters of the operations that it serves, and of wrong keys', () => {
  for (const [worker, operations] of Object.entries(SERVED)) {
    const classes = new Set(['write', ...operations.map(({ rate }) => rate)]);
    const names = [...classes].map((one) => `RATE_${one.toUpperCase()}`);
    const { rates = {} } = workers.find(({ name }) => name === worker) ?? {};
    expect(Object.keys(rates).sort(), worker).toEqual(names.flatMap((name) => [name, `${name}_WIDE`]).sort());
  }
});

it('a counter is one for all Workers that have it, and no other shares its namespace', () => {
  const bindings = workers.flatMap(({ rates }) =>
    Object.entries(rates).map(([name, { namespace }]) => ({ name, namespace })),
  );
  for (const [name, same] of Map.groupBy(bindings, (one) => one.name)) {
    expect(new Set(same.map(({ namespace }) => namespace)).size, name).toBe(1);
  }
  for (const [namespace, same] of Map.groupBy(bindings, (one) => one.namespace)) {
    expect(new Set(same.map(({ name }) => name)).size, namespace).toBe(1);
  }
});
