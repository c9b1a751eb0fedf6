import { CheckField, SelectField, TextAreaField, TextField } from '@weir/ui-kit';
import { defineMessages } from '@weir/ui-kit/app';
import type { ReactElement } from 'react';
import type { FieldProblem, FormTexts } from './form-values';
import messages from './messages.json';
import type { SchemaField } from './schema-fields';
import styles from './schema-form.module.css';

const useFormMessages = defineMessages(messages);

export interface SchemaFormProps {
  readonly fields: readonly SchemaField[];
  readonly texts: FormTexts;
  readonly onChange: (texts: FormTexts) => void;
  /** The problems that are shown. */
  readonly problems: Readonly<Record<string, FieldProblem>>;
}

/** Shows one input for each field, by its type. */
export function SchemaForm({ fields, texts, onChange, problems }: SchemaFormProps): ReactElement {
  return (
    <div className={styles.form}>
      {fields.map((field) => (
        <FieldInput
          key={field.name}
          field={field}
          text={texts[field.name] ?? ''}
          problem={problems[field.name]}
          onChange={(text) => onChange({ ...texts, [field.name]: text })}
        />
      ))}
    </div>
  );
}

interface FieldInputProps {
  readonly field: SchemaField;
  readonly text: string;
  readonly problem: FieldProblem | undefined;
  readonly onChange: (text: string) => void;
}

/** Longer texts get several lines. */
const longText = 200;

function FieldInput({ field, text, problem, onChange }: FieldInputProps): ReactElement {
  const t = useFormMessages();
  const { label, description, type, isRequired, options, maxLength = 0 } = field;
  const name = isRequired ? label : t('form.optional', { label });
  if (type === 'boolean') {
    return (
      <CheckField
        label={label}
        description={description}
        isSelected={text === 'true'}
        onChange={(isOn) => onChange(String(isOn))}
      />
    );
  }
  if (options !== undefined) return <OptionInput {...{ field, text, onChange }} label={name} />;
  const props = {
    label: name,
    description,
    value: text,
    onChange,
    isRequired,
    error: problem === undefined ? undefined : toSentence(t, problem),
    // The browser would otherwise show its own messages beside ours.
    validationBehavior: 'aria' as const,
  };
  if (type === 'string' && (maxLength > longText || text.includes('\n'))) return <TextAreaField {...props} />;
  return <TextField {...props} inputMode={inputModes[type]} />;
}

const inputModes = { string: 'text', integer: 'numeric', number: 'decimal' } as const;

function OptionInput({ field, text, label, onChange }: Omit<FieldInputProps, 'problem'> & { readonly label: string }) {
  const t = useFormMessages();
  const { options = [], isRequired, default: preset } = field;
  const none = isRequired || preset !== undefined ? [] : [{ value: '', label: t('form.none') }];
  return (
    <SelectField
      label={label}
      value={text}
      options={[...none, ...options.map((option) => ({ value: String(option.value), label: option.label }))]}
      onChange={onChange}
    />
  );
}

function toSentence(t: ReturnType<typeof useFormMessages>, problem: FieldProblem): string {
  switch (problem.kind) {
    case 'pattern':
      return t('form.pattern', { pattern: problem.pattern });
    case 'minimum':
    case 'maximum':
    case 'minLength':
    case 'maxLength':
      return t(`form.${problem.kind}`, { limit: problem.limit });
    default:
      return t(`form.${problem.kind}`);
  }
}
