import type { ParamDef, ParamSchemaSource } from '../../model/param';
import { compact } from '../../model/compact';
import type { Dag } from '../../model/dag';
import { quoteWord } from '../../source/text/words';
import type { Printed } from './printed';

/** Prints one line when there are positional values, which no other form can express; otherwise a list of entries. */
export function printParams({ params, paramSchema }: Pick<Dag, 'params' | 'paramSchema'>): unknown {
  if (paramSchema !== undefined) return printSchemaForm(paramSchema, params);
  if (params.length === 0) return undefined;
  if (params.every(isPlain)) return params.map(printWord).join(' ');
  return params.map((param) => (param.name === undefined ? String(param.default) : printEntry(param)));
}

function isPlain(param: ParamDef): boolean {
  const rules = Object.keys(param).filter((key) => !['name', 'type', 'default', 'required'].includes(key));
  return param.type === 'string' && param.default !== undefined && !param.required && rules.length === 0;
}

function printWord({ name, default: preset = '' }: ParamDef): string {
  const word = quoteWord(String(preset));
  return name === undefined ? word : `${name}=${word}`;
}

function printEntry(param: ParamDef): Printed {
  const { minLength, maxLength, required, type, ...others } = param;
  return compact({
    ...others,
    type: type === 'string' ? undefined : type,
    required: required ? true : undefined,
    min_length: minLength,
    max_length: maxLength,
  });
}

/** The values are the defaults, whether they came from the schema or the file. */
function printSchemaForm(source: ParamSchemaSource, params: readonly ParamDef[]): Printed {
  const values = Object.fromEntries(
    params.flatMap(({ name, default: preset }) => (name === undefined || preset === undefined ? [] : [[name, preset]])),
  );
  return compact({
    schema: source.kind === 'inline' ? source.schema : source.kind === 'file' ? source.path : source.url,
    values: Object.keys(values).length === 0 ? undefined : values,
  });
}
