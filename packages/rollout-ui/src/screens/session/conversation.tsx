import type { ConversationMessage, InteractionDetail } from '@weir/rollout-contract';
import type { ReactElement } from 'react';
import { useSessionMessages } from './session-messages';
import styles from './interaction.module.css';

/** The conversation of an interaction: what is new and the answer are open, what was before is folded. */
export function Conversation({ interaction }: { readonly interaction: InteractionDetail }): ReactElement {
  const t = useSessionMessages();
  const { messages, new_messages: count, output, tools } = interaction;
  const before = messages.slice(0, messages.length - count);
  return (
    <div className={styles.conversation}>
      {tools.length === 0 ? null : (
        <details className={styles.fold}>
          <summary>{t('interaction.tools', { count: tools.length })}</summary>
          <pre className={styles.code}>{JSON.stringify(tools, null, 2)}</pre>
        </details>
      )}
      {before.length === 0 ? null : (
        <details className={styles.fold}>
          <summary>{t('interaction.before', { count: before.length })}</summary>
          {before.map((message, at) => (
            <Message key={at} message={message} />
          ))}
        </details>
      )}
      {messages.slice(before.length).map((message, at) => (
        <Message key={at} message={message} />
      ))}
      <Message message={output} isAnswer />
    </div>
  );
}

interface MessageProps {
  readonly message: ConversationMessage;
  readonly isAnswer?: boolean;
}

function Message({ message, isAnswer = false }: MessageProps): ReactElement {
  const t = useSessionMessages();
  const { role, content, reasoning, tool_calls: calls = [], name } = message;
  return (
    <article className={styles.message} data-role={role} data-answer={isAnswer}>
      <h2 className={styles.role}>
        {isAnswer ? t('interaction.answer') : t(`interaction.role.${role}`)}
        {name === undefined ? null : <code>{name}</code>}
      </h2>
      {reasoning === undefined || reasoning === '' ? null : (
        <details className={styles.fold}>
          <summary>{t('interaction.reasoning')}</summary>
          <p className={styles.text}>{reasoning}</p>
        </details>
      )}
      {content === '' ? null : <p className={styles.text}>{content}</p>}
      {content === '' && calls.length === 0 ? <p className={styles.empty}>{t('interaction.empty')}</p> : null}
      {calls.map((call) => (
        <details key={call.id} open className={styles.fold}>
          <summary>{t('interaction.call', { name: call.name })}</summary>
          <pre className={styles.code}>{prettyJson(call.arguments)}</pre>
        </details>
      ))}
    </article>
  );
}

/** JSON with line breaks; a text that is none as it is. */
function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
