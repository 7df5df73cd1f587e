import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Validator } from '@cfworker/json-schema';
import { expect, it } from 'vitest';
import { experimental_readRawConfig as readRawConfig } from 'wrangler';
import { REPOSITORY } from '../repository.ts';
import { findFileProblems } from './check-configuration.ts';
import { readWorkerConfigs } from './worker-configs.ts';

const workers = readWorkerConfigs();

// Wrangler itself only warns of what it does not know, and deploys without it.
it.each(workers.map(({ path }) => path))('%s is what wrangler’s own schema allows', (path) => {
  const schema = JSON.parse(
    readFileSync(join(REPOSITORY, 'node_modules/wrangler/config-schema.json'), 'utf8'),
  );
  const { rawConfig } = readRawConfig({ config: join(REPOSITORY, path) });
  const validator = new Validator(schema, '7', false);
  expect(validator.validate(rawConfig).errors).toEqual([]);
  const misspelt = { ...rawConfig, observability: { traces: { enabled: true, head_sampling_rat: 1 } } };
  expect(validator.validate(misspelt).valid).toBe(false);
});

it('traces are kept of a share of requests, and of Workers whose addresses hold no secret only', () => {
  const traced = workers.filter(({ tracedShare }) => tracedShare > 0);
  expect(traced.map(({ name, tracedShare }) => [name, tracedShare])).toEqual([
    ['marketplace-ingress', 0.05],
    ['marketplace-log', 0.05],
  ]);
  const problems = (name: string, tracedShare: number) =>
    findFileProblems(
      workers.map((worker) => (worker.name === name ? { ...worker, tracedShare } : worker)),
    ).filter((problem) => problem.includes('traces'));
  expect(problems('marketplace-log', 0.05)).toEqual([]);
  expect(problems('marketplace-log', 1)).toHaveLength(1);
  for (const { name } of workers.filter(
    ({ tracedShare, name }) => tracedShare === 0 && name !== 'marketplace-uploads',
  ))
    expect(problems(name, 0.01), name).toHaveLength(1);
});
