import type { Context } from '../shared/context-file';
import { connectToContext } from '../shared/with-api';
import type { SpecChecker } from './check-file';

/** Checks specs by the rules, the version and the base configuration of a server. `parse` rejects with its `ApiError`. */
export function createServerSpecReader(context: Context): SpecChecker {
  const { client } = connectToContext(context);
  return {
    parse: async (spec, { name }) => {
      const { findings, dag, localDags } = (await client.POST('/dags/validate', { body: { spec, name } })).data;
      return {
        findings: findings.map(({ fix, ...finding }) => (fix === undefined ? finding : { ...finding, fix })),
        dag,
        localDags: localDags?.flatMap((local) => local.dag ?? []),
      };
    },
  };
}
