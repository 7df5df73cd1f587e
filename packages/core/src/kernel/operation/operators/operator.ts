/** What an operator may do: each role also what those before it may. */
export const OPERATOR_ROLES = ['viewer', 'support', 'finance', 'admin'] as const;
export type OperatorRole = (typeof OPERATOR_ROLES)[number];

/** Who acts for the marketplace. */
export interface Operator {
  readonly id: string;
  readonly name: string;
  readonly role: OperatorRole;
}

/** Whoever has the secret of the deployment: creates the first operators, and gets in when nobody else can. */
export const DEPLOYMENT_OPERATOR: Operator = { id: 'operator', name: 'Deployment secret', role: 'admin' };

/** What the header of a request says of its operator; a secret other than the deployment's is looked up by its SHA-256. */
export type OperatorCredential =
  | { readonly kind: 'deployment' }
  | { readonly kind: 'secret'; readonly hash: string };

export function hasRole({ role }: Pick<Operator, 'role'>, least: OperatorRole): boolean {
  return OPERATOR_ROLES.indexOf(role) >= OPERATOR_ROLES.indexOf(least);
}
