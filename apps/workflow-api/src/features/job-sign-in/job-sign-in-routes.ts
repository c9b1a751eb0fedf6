import { workflowContract } from '@weir/workflow-contract';
import type { Bind } from '../../access/bind';
import type { JobSignIn } from './authenticate-job';
import { presentRule } from './present-rule';

export function bindJobSignInRoutes(bind: Bind, jobSignIn: JobSignIn): void {
  bind(workflowContract.listJobRules, () => ({
    issuers: jobSignIn.issuers.map(({ issuer, audience, keysUrl, rules }) => ({
      issuer,
      audience,
      keysUrl: keysUrl ?? null,
      rules: rules.map(presentRule),
    })),
  }));

  bind(workflowContract.checkJobToken, ({ input: { body } }) => jobSignIn.check(body.token));
}
