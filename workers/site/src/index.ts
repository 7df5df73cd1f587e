import { type PolicyVariables, readOwnPolicies } from '@agent-marketplace/core/kernel/policies/policies.ts';
import { assets } from '@agent-marketplace/site/assets';
import { pages } from '@agent-marketplace/site/pages.ts';
import { createSite } from '@agent-marketplace/site/site.ts';

interface SiteBindings extends PolicyVariables {
  /** The API Worker: what pages show is asked of it. */
  readonly API: Fetcher;
  /** The documentation, as the build made it. */
  readonly DOCS: Fetcher;
  /** `loopback` on a developer's machine only. */
  readonly SELLER_ENDPOINTS?: string;
  /** Where the API is to be had from outside, if not on the site's own origin. */
  readonly PUBLIC_BASE_URL?: string;
}

const site = createSite(pages, assets);

export default {
  fetch(request, { API, DOCS, PUBLIC_BASE_URL, SELLER_ENDPOINTS, ...variables }) {
    const apiBaseUrl = PUBLIC_BASE_URL?.replace(/\/+$/, '') || null;
    const readDocFile = async (path: string) => {
      const file = await DOCS.fetch(`https://docs.invalid/${path}`);
      return file.ok ? file : null;
    };
    return site.fetch(request, {
      api: API,
      apiBaseUrl,
      policies: readOwnPolicies(variables),
      readDocFile,
      isDevelopment: SELLER_ENDPOINTS === 'loopback',
    });
  },
} satisfies ExportedHandler<SiteBindings>;
