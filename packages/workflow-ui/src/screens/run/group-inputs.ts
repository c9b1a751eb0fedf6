import type { Schemas } from '../../api/client';

type Variable = Schemas['RunVariable'];

export interface GroupedInputs {
  /** The values that people have written or passed, parameters first. */
  readonly given: readonly Variable[];
  /** The variables that each run sets by itself, such as its id and its folders. */
  readonly ofRun: readonly Variable[];
  /** The variables of the server, without values. */
  readonly ofServer: readonly Variable[];
}

/** Groups variables: those that a person looks for come first; the rest is alike in all runs. */
export function groupInputs(variables: readonly Variable[]): GroupedInputs {
  const from = (source: Variable['source']): readonly Variable[] => variables.filter((one) => one.source === source);
  const given = variables.filter(({ source }) => source !== 'parameter' && source !== 'run' && source !== 'host');
  return { given: [...from('parameter'), ...given], ofRun: from('run'), ofServer: from('host') };
}
