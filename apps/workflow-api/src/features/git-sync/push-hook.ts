import type { Clock } from '@weir/workflow-engine/model';
import { verifyCall, webhookTokenInvalid, type SignedCall } from '../webhooks';
import type { AutomaticPull } from './automatic-pull';
import type { SyncConfig } from './sync-config';
import { syncDisabled } from './sync-errors';

export interface PushHook {
  /** Throws `webhook_token_invalid` or `sync_disabled`. */
  receive(call: SignedCall): Promise<void>;
}

export interface PushHookPorts {
  readonly config: SyncConfig;
  readonly automaticPull: Pick<AutomaticPull, 'pullSoon'>;
  readonly clock: Clock;
}

/** The host of the repository calls this hook after a push. A repeated call only causes another pull. */
export function createPushHook({ config, automaticPull, clock }: PushHookPorts): PushHook {
  return {
    receive: async (call) => {
      const secret = await config.readWebhookSecret();
      if (secret === undefined) throw webhookTokenInvalid();
      const style = call.headers['x-gitlab-token'] === undefined ? 'github' : 'gitlab';
      const verdict = verifyCall(style, { settings: { style }, secret, call, now: clock.now() });
      if ('refusal' in verdict) throw webhookTokenInvalid();
      if (!(await config.readSettings()).enabled) throw syncDisabled();
      automaticPull.pullSoon();
    },
  };
}
