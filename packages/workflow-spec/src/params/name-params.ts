import type { ParamDef } from '../model/param';

/** A declared parameter with its name, which is its position when it has none. */
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
