import { describe, expect, it } from 'vitest';
import { readOwnPolicies } from '../kernel/policies/policies.ts';
import { createTestMarketplace, TEST_BASE_URL } from '../testing/marketplace/workers-harness.ts';

const { origin } = new URL(TEST_BASE_URL);
const plain = createTestMarketplace();

async function policiesOf(market: typeof plain) {
  const meta = (await (await market.request('GET', '/meta')).json()) as { brand: { policies: unknown } };
  const about = (await (await market.request('GET', '/about')).json()) as {
    endpoints: Record<string, string>;
  };
  const { privacy, prohibitedGoods, terms } = about.endpoints;
  expect(meta.brand.policies).toEqual({ privacy, prohibited: prohibitedGoods, terms });
  return meta.brand.policies;
}

describe('the policies in GET /meta and GET /about', () => {
  it('are pages of the site', async () => {
    expect(await policiesOf(plain)).toEqual({
      privacy: `${origin}/policies/privacy`,
      prohibited: `${origin}/policies/prohibited`,
      terms: `${origin}/policies/terms`,
    });
  });

  it('are on the site where that has an address of its own, or where the operator has them', async () => {
    const terms = 'https://operator.example/terms';
    const settings = {
      siteUrl: 'https://site.example',
      policies: readOwnPolicies({ POLICY_TERMS_URL: terms }),
    };
    expect(await policiesOf(createTestMarketplace({ settings }))).toEqual({
      privacy: 'https://site.example/policies/privacy',
      prohibited: 'https://site.example/policies/prohibited',
      terms,
    });
  });
});
