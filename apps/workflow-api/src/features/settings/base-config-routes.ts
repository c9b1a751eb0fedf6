import { workflowContract } from '@weir/workflow-contract';
import type { Bind } from '../../access/bind';
import { presentRevision, presentRevisionDiff, presentRevisionPage } from '../dag-revisions';
import { formatErrors } from '../../dag-parser/spec-errors';
import type { BaseConfigService } from './base-config-service';

export function bindBaseConfigRoutes(bind: Bind, baseConfig: BaseConfigService): void {
  bind(workflowContract.getBaseConfig, async ({ setEntityTag }) => {
    const { text, entityTag, findings, problem } = await baseConfig.read();
    setEntityTag(entityTag);
    return {
      spec: text,
      errors: problem === undefined ? [...formatErrors(findings)] : [problem],
      findings: [...findings],
    };
  });

  bind(workflowContract.updateBaseConfig, async ({ input: { body }, principal, audit, ifMatch, setEntityTag }) => {
    const { findings, entityTag } = await baseConfig.replace(body.spec, { principal, audit, ifMatch });
    setEntityTag(entityTag);
    return { errors: [], findings: [...findings] };
  });

  bind(workflowContract.listBaseConfigRevisions, async ({ input: { query } }) => {
    return presentRevisionPage((await baseConfig.list()).revisions, { file: 'base configuration', ...query });
  });

  bind(workflowContract.getBaseConfigRevision, async ({ input: { params } }) => {
    const revision = await baseConfig.get(params.revision);
    return { ...presentRevision(revision), spec: revision.text };
  });

  bind(workflowContract.getBaseConfigRevisionDiff, async ({ input: { params, query } }) => {
    return presentRevisionDiff(await baseConfig.compare({ revision: params.revision, from: query.from }));
  });

  bind(
    workflowContract.restoreBaseConfigRevision,
    async ({ input: { params }, principal, audit, ifMatch, setEntityTag }) => {
      const { findings, entityTag } = await baseConfig.restore(params.revision, { principal, audit, ifMatch });
      setEntityTag(entityTag);
      return { errors: [], findings: [...findings] };
    },
  );
}
