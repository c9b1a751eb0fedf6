import { useLingui } from '@lingui/react';
import { Table, type TableColumn } from '@weir/ui-kit';
import { defineMessages } from '@weir/ui-kit/app';
import type { ReactElement } from 'react';
import type { Run } from '../../parts/run/run-data';
import messages from './model-use-messages.json';
import styles from './model-use.module.css';

const useModelUseMessages = defineMessages(messages);

type Use = NonNullable<Run['modelUse']>[number];

/** The models that the steps of a run have asked, with their tokens, and their cost where they have a price. */
export function ModelUse({ uses }: { readonly uses: readonly Use[] }): ReactElement {
  const t = useModelUseMessages();
  const { i18n } = useLingui();
  const tokens = new Intl.NumberFormat(i18n.locale);
  const dollars = new Intl.NumberFormat(i18n.locale, { minimumFractionDigits: 2, maximumFractionDigits: 6 });
  const count = (id: 'input' | 'cached' | 'output', of: (use: Use) => number): TableColumn<Use> => ({
    id,
    name: t(`run.models.${id}`),
    align: 'end',
    render: (use) => tokens.format(of(use)),
  });
  const columns: readonly TableColumn<Use>[] = [
    {
      id: 'model',
      name: t('run.models.model'),
      isRowHeader: true,
      width: 'grow',
      render: ({ provider, model }) => (
        <>
          {model} <span className={styles.provider}>{provider}</span>
        </>
      ),
    },
    count('input', ({ inputTokens }) => inputTokens),
    count('cached', ({ cachedTokens }) => cachedTokens),
    count('output', ({ outputTokens }) => outputTokens),
    {
      id: 'cost',
      name: t('run.models.cost'),
      align: 'end',
      render: ({ cost }) => (cost === undefined ? '–' : dollars.format(cost)),
    },
  ];
  return (
    <div className={styles.models}>
      <Table
        label={t('run.models')}
        items={uses}
        getId={({ provider, model }) => `${provider} ${model}`}
        columns={columns}
      />
    </div>
  );
}
