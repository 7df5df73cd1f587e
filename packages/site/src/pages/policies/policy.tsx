import { POLICIES, type PolicyName } from '@agent-marketplace/core/kernel/policies/policies.ts';
import type { Child } from 'hono/jsx';
import { definePage, type SitePage, type Visit } from '../../page.ts';

/** The default of a policy. It leads to the operator's own document, where there is one. */
export function policyPage(
  name: PolicyName,
  description: string,
  content: (visit: Visit) => Child,
): SitePage {
  const { title } = POLICIES[name];
  return definePage({
    path: `/policies/${name}`,
    get(visit) {
      const own = visit.policies[name];
      if (own !== null) return { redirect: own };
      return {
        title,
        description,
        main: (
          <div class="docs">
            <article class="stack docs-page">
              <h1>{title}</h1>
              <p class="note">
                This is the default text of the software. The operator of this deployment may replace it by a
                document of its own, and has not done so.
              </p>
              {content(visit)}
            </article>
            <nav class="docs-contents" aria-label="Policies">
              <ul>
                {Object.entries(POLICIES).map(([other, { title: label }]) => (
                  <li>
                    <a href={`/policies/${other}`} aria-current={other === name ? 'page' : undefined}>
                      {label}
                    </a>
                  </li>
                ))}
                <li>
                  <a href="/contact">Contact</a>
                </li>
              </ul>
            </nav>
          </div>
        ),
      };
    },
  });
}
