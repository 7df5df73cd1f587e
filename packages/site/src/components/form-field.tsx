import type { Child } from 'hono/jsx';
import { INTERFACE_ICONS } from '../icons/interface-icons.data.ts';
import { Icon } from './icon.tsx';

interface FormField {
  readonly id: string;
  readonly label: string;
  /** What to enter, where the label does not say it all. */
  readonly hint?: string;
  /** What is wrong with what was entered, and how to mend it. */
  readonly error?: string | null;
  /** The name under which a script shows what is wrong (`browser/parts/field-faults.ts`). */
  readonly faultName?: string;
  readonly children: (attributes: FieldAttributes) => Child;
}

/** What ties an input to its label, hint and error. */
interface FieldAttributes {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': 'true' | undefined;
}

/** A field of a form with its label above and, if it is wrong, the reason in words below. */
export function FormField({ id, label, hint, error, faultName, children }: FormField) {
  const described = [hint && `${id}-hint`, (error || faultName) && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div class={error ? 'field wrong' : 'field'}>
      <label for={id}>{label}</label>
      {children({
        id,
        'aria-describedby': described || undefined,
        'aria-invalid': error ? 'true' : undefined,
      })}
      {hint && (
        <p class="fine" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {faultName && <p class="field-error" id={`${id}-error`} data-fault={faultName} hidden />}
      {error && (
        <p class="field-error" id={`${id}-error`}>
          <Icon icon={INTERFACE_ICONS.failed} />
          {error}
        </p>
      )}
    </div>
  );
}
