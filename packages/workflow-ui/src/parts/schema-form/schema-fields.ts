/** A value of a form as it is sent. */
export type FieldValue = string | number | boolean;

export interface FieldOption {
  readonly value: FieldValue;
  readonly label: string;
}

/** A field of a form, read from a JSON Schema of a flat object. */
export interface SchemaField {
  readonly name: string;
  readonly label: string;
  readonly description?: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean';
  readonly isRequired: boolean;
  readonly default?: FieldValue;
  readonly options?: readonly FieldOption[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
}

type Json = Readonly<Record<string, unknown>>;

/** Returns the fields of a form in their order, with the required ones first. */
export function readSchemaFields(schema: Json): readonly SchemaField[] {
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const fields = Object.entries(asObject(schema.properties)).map(([name, property]) =>
    toField(name, asObject(property), required.has(name)),
  );
  const isOpen = ({ isRequired, default: value }: SchemaField): boolean => isRequired && value === undefined;
  return [...fields.filter(isOpen), ...fields.filter((field) => !isOpen(field))];
}

function toField(name: string, property: Json, isRequired: boolean): SchemaField {
  const text = (key: string): string | undefined => (typeof property[key] === 'string' ? property[key] : undefined);
  const number = (key: string): number | undefined => (typeof property[key] === 'number' ? property[key] : undefined);
  const { title } = property;
  return {
    name,
    label: typeof title === 'string' && title !== '' ? title : name,
    type: toType(property.type),
    isRequired,
    ...given('description', text('description')),
    ...given('default', isValue(property.default) ? property.default : undefined),
    ...given('options', toOptions(property)),
    ...given('minimum', number('minimum')),
    ...given('maximum', number('maximum')),
    ...given('minLength', number('minLength')),
    ...given('maxLength', number('maxLength')),
    ...given('pattern', text('pattern')),
  };
}

function toOptions({ enum: values, oneOf }: Json): readonly FieldOption[] | undefined {
  if (Array.isArray(values)) return values.filter(isValue).map((value) => ({ value, label: String(value) }));
  if (!Array.isArray(oneOf)) return undefined;
  return oneOf.flatMap((entry) => {
    const { const: value, title } = asObject(entry);
    return isValue(value) ? [{ value, label: typeof title === 'string' ? title : String(value) }] : [];
  });
}

function toType(type: unknown): SchemaField['type'] {
  return type === 'integer' || type === 'number' || type === 'boolean' ? type : 'string';
}

function given<Key extends string, Value>(key: Key, value: Value | undefined): Readonly<Partial<Record<Key, Value>>> {
  // The type of a computed name is too wide.
  return (value === undefined ? {} : { [key]: value }) as Partial<Record<Key, Value>>;
}

function asObject(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}

function isValue(value: unknown): value is FieldValue {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
