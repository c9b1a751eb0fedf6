import type { ParamDef } from '../../model/param';

/** A declared parameter; a positional one is named by its position. */
export interface NamedParam {
  readonly definition: ParamDef;
  readonly name: string;
}

export function nameParams(definitions: readonly ParamDef[]): readonly NamedParam[] {
  let position = 0;
  return definitions.map((definition) => {
    if (definition.name === undefined) position += 1;
    return { definition, name: definition.name ?? String(position) };
  });
}
