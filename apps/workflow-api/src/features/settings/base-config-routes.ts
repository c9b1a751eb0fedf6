import { workflowContract } from '@weir/workflow-contract';
import type { Bind } from '../../bind';
import { formatErrors } from '../dags';
import { assertLocalNode } from '../remote-node';
import type { BaseConfigService } from './base-config-service';

export function bindBaseConfigRoutes(bind: Bind, baseConfig: BaseConfigService): void {
  bind(workflowContract.getBaseConfig, async ({ input: { query }, setEntityTag }) => {
    assertLocalNode(query);
    const { text, entityTag, findings, problem } = await baseConfig.read();
    setEntityTag(entityTag);
    return {
      spec: text,
      errors: problem === undefined ? [...formatErrors(findings)] : [problem],
      findings: [...findings],
    };
  });

  bind(workflowContract.updateBaseConfig, async ({ input: { query, body }, ifMatch, setEntityTag }) => {
    assertLocalNode(query);
    const { findings, entityTag } = await baseConfig.replace(body.spec, ifMatch);
    setEntityTag(entityTag);
    return { errors: [], findings: [...findings] };
  });
}
