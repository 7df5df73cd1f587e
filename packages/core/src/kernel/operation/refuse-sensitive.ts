import type { Json } from '@agent-marketplace/protocol/json/json.ts';
import { commonErrors, Refusal } from '../errors.ts';
import { findSensitiveInJson, type SensitiveKind } from '../sensitive-content.ts';
import type { AnyOperation } from './operation.ts';

const NAMES: Readonly<Record<SensitiveKind, string>> = {
  private_key: 'a private key',
  cloud_credential: 'a cloud credential',
  api_credential: 'an API credential',
  json_web_token: 'a JSON Web Token',
  payment_card_number: 'a payment card number',
  social_security_number: 'a social security number',
};

/** Refuses secrets in public fields. The error names the field and the kind, never the text. */
export function refuseSensitive(
  { publicFields = [] }: Pick<AnyOperation, 'publicFields'>,
  input: Readonly<Record<string, unknown>>,
): void {
  const fields = publicFields.flatMap((path) => {
    const kind = findSensitiveInJson((input[path] ?? null) as Json);
    return kind ? [{ message: `This looks like ${NAMES[kind]}.`, path }] : [];
  });
  if (fields.length > 0) throw new Refusal(commonErrors.sensitive_content, { fields });
}
