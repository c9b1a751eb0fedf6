import { queryOptions } from '@tanstack/react-query';
import { statusOf, unwrap, type Failure } from '@weir/ui-kit/app';
import { api, type Schemas } from '../../api/client';
import { useAction } from '../use-action';
import { useWebhookMessages } from './webhook-messages';

export type Webhook = Schemas['WebhookDetails'];

/** The webhooks of the DAGs that the caller sees. */
export const webhooksQuery = queryOptions<Schemas['WebhookListResponse'], Failure>({
  queryKey: ['webhooks'],
  queryFn: ({ signal }) => unwrap(api.GET('/webhooks', { signal })),
});

/** The webhook of a DAG; `null` where it has none. */
export const webhookQuery = (fileName: string) =>
  queryOptions<Webhook | null, Failure>({
    queryKey: ['webhook', fileName],
    queryFn: async ({ signal }) => {
      try {
        return await unwrap(api.GET('/dags/{fileName}/webhook', { params: { path: { fileName } }, signal }));
      } catch (error) {
        if (statusOf(error) === 404) return null;
        throw error;
      }
    },
  });

/** Switches a webhook on or off, with an undo. */
export function useToggleWebhook(dagName: string) {
  const t = useWebhookMessages();
  const action = useAction<boolean>({
    run: (enabled) =>
      unwrap(
        api.POST('/dags/{fileName}/webhook/toggle', {
          params: { path: { fileName: dagName } },
          body: { enabled },
        }),
      ),
    done: (enabled) => ({
      message: t(enabled ? 'webhook.nowOn' : 'webhook.nowOff', { name: dagName }),
      action: { label: t('webhook.undo'), onPress: () => action.mutate(!enabled) },
    }),
    changes: ['webhooks', 'webhook'],
  });
  return action;
}
