import { SellerText } from '../../../components/text.tsx';
import type { Control, QueryField } from '../../../query-form/query-field.ts';
import { choiceText } from '../../../query-form/schema-words.ts';

const MAX_OPTION_LENGTH = 120;

export interface FilledForm {
  readonly values: ReadonlyMap<string, string>;
  /** What is wrong, in words, by the name of the control. */
  readonly faults: ReadonlyMap<string, string>;
}

interface FieldsProps extends FilledForm {
  readonly fields: readonly QueryField[];
  /** Begins the ids of the controls: names of the seller could be those of other elements. */
  readonly prefix?: string;
}

/** The controls of a query, each with what it wants and what is wrong with it. */
export function QueryFields({ fields, values, faults, prefix = 'ask' }: FieldsProps) {
  return (
    <>
      {fields.map((field, index) => (
        <Field field={field} id={`${prefix}-${index}`} values={values} faults={faults} />
      ))}
    </>
  );
}

interface FieldProps extends FilledForm {
  readonly field: QueryField;
  readonly id: string;
}

function Field({ field, id, values, faults }: FieldProps) {
  const { name, label, control, isRequired, description, rules } = field;
  if (control.kind === 'group') {
    return (
      <fieldset class="query-group stack">
        <legend>
          <SellerText text={label} />
          {!isRequired && <span class="soft"> (optional)</span>}
        </legend>
        {(description !== '' || rules !== '') && (
          <p class="fine">
            <SellerText text={[description, rules].filter(Boolean).join(' ')} />
          </p>
        )}
        <QueryFields fields={control.fields} values={values} faults={faults} prefix={id} />
      </fieldset>
    );
  }
  const fault = faults.get(name);
  const help = [rules, helpOf(control)].filter(Boolean).join(' ');
  const isHelped = description !== '' || help !== '';
  return (
    <div class={fault === undefined ? 'field' : 'field wrong'}>
      <label for={id}>
        <SellerText text={label} />
        {!isRequired && ' (optional)'}
      </label>
      <Input
        control={control}
        value={values.get(name) ?? ''}
        attributes={{
          id,
          name,
          'aria-describedby': `${isHelped ? `${id}-help ` : ''}${id}-fault`,
          'aria-invalid': fault === undefined ? undefined : 'true',
          'aria-required': isRequired ? 'true' : undefined,
        }}
      />
      {isHelped && (
        <p class="fine" id={`${id}-help`}>
          {description !== '' && <SellerText text={description} />} {help}
        </p>
      )}
      <p class="field-error" id={`${id}-fault`} data-fault={name} hidden={fault === undefined}>
        {fault}
      </p>
    </div>
  );
}

function helpOf(control: Control): string {
  if (control.kind === 'list') return 'One in each line.';
  if (control.kind !== 'json' || control.type === '') return '';
  return control.type === 'anything' ? 'Any JSON.' : `As JSON: ${control.type}.`;
}

interface InputProps {
  readonly control: Control;
  readonly value: string;
  readonly attributes: Readonly<Record<string, string | undefined>>;
}

function Input({ control, value, attributes }: InputProps) {
  switch (control.kind) {
    case 'boolean':
      return (
        <Select
          attributes={attributes}
          value={value}
          options={[
            ['true', 'Yes'],
            ['false', 'No'],
          ]}
        />
      );
    case 'choice':
      return (
        <Select
          attributes={attributes}
          value={value}
          options={control.options.map((option, index) => [
            String(index),
            choiceText(option, MAX_OPTION_LENGTH),
          ])}
        />
      );
    case 'json':
      return (
        <textarea {...attributes} rows={value === '' ? 2 : 6} spellcheck={false}>
          {`\n${value}`}
        </textarea>
      );
    case 'list':
      return (
        <textarea {...attributes} rows={3}>
          {`\n${value}`}
        </textarea>
      );
    case 'text':
      if (control.isLong)
        return (
          <textarea {...attributes} rows={4}>
            {`\n${value}`}
          </textarea>
        );
      return (
        <input
          {...attributes}
          type={TYPES[control.format ?? ''] ?? 'text'}
          value={value}
          autocomplete="off"
        />
      );
    default:
      return (
        <input
          {...attributes}
          type="text"
          inputmode={control.kind === 'integer' ? 'numeric' : 'decimal'}
          value={value}
          autocomplete="off"
        />
      );
  }
}

const TYPES: Readonly<Record<string, string>> = { date: 'date', email: 'email' };

function Select({
  attributes,
  value,
  options,
}: Omit<InputProps, 'control'> & { readonly options: readonly (readonly [string, string])[] }) {
  return (
    <select {...attributes}>
      <option value="">{attributes['aria-required'] ? 'Choose…' : 'Leave it out'}</option>
      {options.map(([key, text]) => (
        <option value={key} selected={key === value}>
          {text}
        </option>
      ))}
    </select>
  );
}
