import { useQuery } from '@tanstack/react-query';
import { CheckField, SelectField, TextField } from '@weir/ui-kit';
import { unwrap } from '@weir/ui-kit/app';
import { useState, type ReactElement } from 'react';
import { api, type Schemas } from '../../api/client';
import { workspacesQuery } from '../../parts/access/workspaces-query';
import { EditDialog } from '../../parts/edit-dialog';
import { useAction } from '../../parts/use-action';
import { useWebhooksMessages } from './webhooks-messages';
import styles from '../../parts/screen-body.module.css';

type Request = Schemas['CreateEventSubscriptionRequest'];
type Kind = Request['kind'];
type EventType = Request['events'][number];

const kinds = ['email', 'slack', 'teams', 'discord', 'webhook'] as const satisfies Kind[];
const eventTypes = [
  'run.failed',
  'run.recovered',
  'run.waiting',
  'run.late',
  'run.rejected',
  'run.aborted',
  'run.partially_succeeded',
  'run.succeeded',
  'schedule.skipped',
  'dag.stale',
  'queue.blocked',
  'step.failed',
  'step.retried',
  'step.waiting',
] as const satisfies EventType[];
const everywhere = '';
const digests = ['0', '900', '3600', '86400'] as const;
const pauses = ['0', '3600', '21600', '86400'] as const;

export interface AddNotificationProps {
  readonly onClose: () => void;
  /** Called with the secret of a signed webhook. */
  readonly onAdded: (name: string, secret: string | undefined) => void;
}

/** What is told, about what, and to whom. */
export function AddNotification({ onClose, onAdded }: AddNotificationProps): ReactElement {
  const t = useWebhooksMessages();
  const [name, setName] = useState('');
  const [kind, setKind] = useState<Kind>('email');
  const [address, setAddress] = useState('');
  const [events, setEvents] = useState<ReadonlySet<EventType>>(new Set(['run.failed', 'run.recovered']));
  const [workspace, setWorkspace] = useState(everywhere);
  const [dagName, setDagName] = useState('');
  const [lateMinutes, setLateMinutes] = useState('');
  const [blockedMinutes, setBlockedMinutes] = useState('10');
  const [staleHours, setStaleHours] = useState('24');
  const [digest, setDigest] = useState<(typeof digests)[number]>('0');
  const [pause, setPause] = useState<(typeof pauses)[number]>('0');
  const { data } = useQuery(workspacesQuery);
  const action = useAction({
    run: () =>
      unwrap(
        api.POST('/event-subscriptions', {
          body: {
            name,
            kind,
            events: eventTypes.filter((each) => events.has(each)),
            ...(kind === 'email' ? { to: address } : { url: address }),
            ...(workspace === everywhere ? {} : { workspace }),
            ...(dagName === '' ? {} : { dagName }),
            ...(events.has('run.late') && lateMinutes !== '' ? { lateAfterSeconds: Number(lateMinutes) * 60 } : {}),
            ...(digest === '0' || kind === 'webhook' ? {} : { digestSeconds: Number(digest) }),
            ...(pause === '0' ? {} : { repeatAfterSeconds: Number(pause) }),
            ...(events.has('queue.blocked') ? { blockedAfterSeconds: Number(blockedMinutes) * 60 } : {}),
            ...(events.has('dag.stale') ? { staleAfterSeconds: Number(staleHours) * 3600 } : {}),
          },
        }),
      ),
    changes: ['event-subscriptions'],
    onDone: ({ secret }) => onAdded(name, secret),
    saysFailure: false,
  });
  const choose = (event: EventType, isChosen: boolean): void => {
    const next = new Set(events);
    if (isChosen) next.add(event);
    else next.delete(event);
    setEvents(next);
  };
  const workspaces = (data?.workspaces ?? []).map((each) => ({ value: each.name, label: each.name }));
  return (
    <EditDialog title={t('notify.add')} submitLabel={t('notify.add')} action={action} onClose={onClose}>
      <TextField label={t('notify.name')} isRequired autoFocus maxLength={100} value={name} onChange={setName} />
      <SelectField
        label={t('notify.kind')}
        value={kind}
        options={kinds.map((value) => ({ value, label: t(`notify.kind.${value}`) }))}
        onChange={setKind}
      />
      <TextField
        label={t(kind === 'email' ? 'notify.email' : 'notify.url')}
        description={t('notify.address.hint')}
        isRequired
        type={kind === 'email' ? 'email' : 'url'}
        value={address}
        onChange={setAddress}
      />
      <fieldset className={styles.choices}>
        <legend>{t('notify.events')}</legend>
        {eventTypes.map((event) => (
          <CheckField
            key={event}
            label={t(`notify.event.${event}`)}
            isSelected={events.has(event)}
            onChange={(isChosen) => choose(event, isChosen)}
          />
        ))}
      </fieldset>
      {events.has('run.late') ? (
        <TextField
          label={t('notify.late')}
          description={t('notify.late.hint')}
          inputMode="numeric"
          value={lateMinutes}
          onChange={setLateMinutes}
        />
      ) : null}
      {events.has('dag.stale') ? (
        <TextField
          label={t('notify.stale')}
          isRequired
          inputMode="numeric"
          value={staleHours}
          onChange={setStaleHours}
        />
      ) : null}
      {events.has('queue.blocked') ? (
        <TextField
          label={t('notify.blocked')}
          isRequired
          inputMode="numeric"
          value={blockedMinutes}
          onChange={setBlockedMinutes}
        />
      ) : null}
      {kind === 'webhook' ? null : (
        <SelectField
          label={t('notify.digest')}
          value={digest}
          options={digests.map((value) => ({
            value,
            label: t('notify.digest.after', { minutes: Number(value) / 60 }),
          }))}
          onChange={setDigest}
        />
      )}
      <SelectField
        label={t('notify.repeat')}
        value={pause}
        options={pauses.map((value) => ({ value, label: t('notify.repeat.after', { hours: Number(value) / 3600 }) }))}
        onChange={setPause}
      />
      {workspaces.length === 0 ? null : (
        <SelectField
          label={t('notify.workspace')}
          value={workspace}
          options={[{ value: everywhere, label: t('notify.everywhere') }, ...workspaces]}
          onChange={setWorkspace}
        />
      )}
      <TextField
        label={t('notify.dag')}
        description={t('notify.dag.hint')}
        isRequired={events.has('dag.stale')}
        value={dagName}
        onChange={setDagName}
      />
    </EditDialog>
  );
}
