/** The documents of a deployment. The site has a default of each; the variable holds the address of the operator's own. */
export const POLICIES = {
  prohibited: { title: 'Prohibited goods', variable: 'POLICY_PROHIBITED_URL' },
  terms: { title: 'Terms', variable: 'POLICY_TERMS_URL' },
  privacy: { title: 'Privacy', variable: 'POLICY_PRIVACY_URL' },
} as const satisfies Readonly<Record<string, { readonly title: string; readonly variable: string }>>;

export type PolicyName = keyof typeof POLICIES;

export type PolicyVariables = {
  readonly [Name in PolicyName as (typeof POLICIES)[Name]['variable']]?: string;
};

/** The operator's own documents; null: the default of the site. */
export type OwnPolicies = Readonly<Record<PolicyName, string | null>>;

/** Throws, as any variable does that is wrong: a policy that leads nowhere would be found by a reader. */
export function readOwnPolicies(variables: PolicyVariables): OwnPolicies {
  return {
    prohibited: readAddress('prohibited', variables),
    terms: readAddress('terms', variables),
    privacy: readAddress('privacy', variables),
  };
}

/** Where each document is. `site` is the site's origin without a trailing slash, or '' for paths of it. */
export function policyAddresses(own: OwnPolicies, site: string): Readonly<Record<PolicyName, string>> {
  return {
    prohibited: own.prohibited ?? `${site}/policies/prohibited`,
    terms: own.terms ?? `${site}/policies/terms`,
    privacy: own.privacy ?? `${site}/policies/privacy`,
  };
}

function readAddress(name: PolicyName, variables: PolicyVariables): string | null {
  const { variable } = POLICIES[name];
  const text = variables[variable];
  if (!text) return null;
  const url = URL.parse(text);
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '') {
    throw new Error(`${variable} is not an https URL.`);
  }
  return url.href;
}
