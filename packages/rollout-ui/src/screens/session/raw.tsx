import type { InteractionDetail } from '@weir/rollout-contract';
import { CopyButton } from '@weir/ui-kit';
import { useAppMessages } from '@weir/ui-kit/app';
import type { ReactElement } from 'react';
import { useSessionMessages } from './session-messages';
import styles from './interaction.module.css';

/** What is stored of an interaction, as JSON. */
export function Raw({ interaction }: { readonly interaction: InteractionDetail }): ReactElement {
  const t = useSessionMessages();
  const { node, model, seed, messages, output, usage, tools, template_arguments: variables } = interaction;
  const request = { model, seed, messages, tools, template_arguments: variables };
  const { interaction_id: id, finish_reason: finish, created_at: created, completed_at: completed, protocol } = node;
  return (
    <div className={styles.conversation}>
      <Json title={t('interaction.request')} value={request} />
      <Json
        title={t('interaction.result')}
        value={{ id, protocol, message: output, finish_reason: finish, usage, created, completed }}
      />
      <Json title={t('interaction.stored')} value={interaction.provenance} />
    </div>
  );
}

function Json({ title, value }: { readonly title: string; readonly value: unknown }): ReactElement {
  const app = useAppMessages();
  const text = JSON.stringify(value, null, 2);
  return (
    <section>
      <h2 className={styles.role}>
        {title} <CopyButton text={text} label={`${app('app.copy')} ${title}`} />
      </h2>
      <pre tabIndex={0} aria-label={title} className={styles.code}>
        {text}
      </pre>
    </section>
  );
}
