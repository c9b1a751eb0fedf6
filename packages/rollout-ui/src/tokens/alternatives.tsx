import { useQuery } from '@tanstack/react-query';
import { classNames } from '@weir/ui-kit';
import { QueryPanel } from '@weir/ui-kit/app';
import type { ReactElement } from 'react';
import { alternativesQuery } from '../api/queries';
import type { InteractionAddress, TokenPath } from '../api/read-tokens';
import { formatCount } from '../parts/format-number';
import { listAlternatives, type Alternative, type AlternativeList } from './list-alternatives';
import { useTokensMessages } from './tokens-messages';
import styles from './alternatives.module.css';

export interface AlternativesProps {
  readonly path: TokenPath;
  readonly address: InteractionAddress;
  /** The position that is looked at. */
  readonly at: number | undefined;
}

/** What else could have been sampled at a position. It keeps its height, so that the strip above stays as it is. */
export function Alternatives({ path, address, at }: AlternativesProps): ReactElement {
  const t = useTokensMessages();
  const isSampled = at !== undefined && (path.sources[at] ?? 0) !== 0;
  return (
    <section tabIndex={0} aria-label={t('tokens.likeliest')} className={styles.alternatives}>
      {isSampled ? (
        <Position path={path} address={address} at={at} />
      ) : (
        <p className={styles.note}>{t(at === undefined ? 'tokens.likeliest.hint' : 'tokens.likeliest.none')}</p>
      )}
    </section>
  );
}

function Position({ path, address, at }: AlternativesProps & { readonly at: number }): ReactElement {
  const t = useTokensMessages();
  const query = useQuery(alternativesQuery(address, at));
  return (
    <QueryPanel query={query}>
      {(recorded) => {
        const list = listAlternatives(path, recorded, at);
        if (list === undefined) return <p className={styles.note}>{t('tokens.likeliest.none')}</p>;
        return (
          <>
            {list.isUnranked ? <p className={styles.note}>{t('tokens.likeliest.unranked')}</p> : null}
            <AlternativeTable list={list} />
          </>
        );
      }}
    </QueryPanel>
  );
}

function AlternativeTable({ list: { scorers, items } }: { readonly list: AlternativeList }): ReactElement {
  const t = useTokensMessages();
  return (
    <table className={styles.table}>
      <caption className={styles.hidden}>{t('tokens.likeliest')}</caption>
      <thead>
        <tr>
          <th scope="col" className={styles.number}>
            {t('tokens.likeliest.rank')}
          </th>
          <th scope="col">{t('tokens.likeliest.token')}</th>
          <th scope="col" className={styles.number}>
            {t('tokens.p')}
          </th>
          <th scope="col" className={styles.number}>
            {t('tokens.logprob')}
          </th>
          {scorers.map((scorer) => (
            <th key={scorer} scope="col" className={styles.number}>
              {scorer}
            </th>
          ))}
          <th scope="col" className={styles.number}>
            {t('tokens.id')}
          </th>
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <AlternativeRow key={item.id} item={item} />
        ))}
      </tbody>
    </table>
  );
}

function AlternativeRow({ item }: { readonly item: Alternative }): ReactElement {
  const t = useTokensMessages();
  const { id, text, isSampled, rank, logprob, scores } = item;
  return (
    <tr className={classNames(isSampled && styles.sampled)}>
      <td className={styles.number}>{rank === undefined ? '–' : formatCount(rank)}</td>
      <th scope="row" className={styles.token}>
        <code>{text}</code>
        {isSampled ? <span className={styles.mark}>{t('tokens.likeliest.sampled')}</span> : null}
      </th>
      <td className={styles.number}>
        <Probability logprob={logprob} />
      </td>
      <td className={styles.number}>{formatLogprob(logprob)}</td>
      {scores.map((score, index) => (
        <td key={index} className={styles.number}>
          {formatLogprob(score)}
        </td>
      ))}
      <td className={styles.number}>{id}</td>
    </tr>
  );
}

function Probability({ logprob }: Pick<Alternative, 'logprob'>): ReactElement {
  if (logprob === undefined) return <>–</>;
  const probability = Math.exp(logprob);
  return (
    <span className={styles.probability}>
      <svg aria-hidden viewBox="0 0 48 8" preserveAspectRatio="none" className={styles.bar}>
        <rect width="48" height="8" className={styles.room} />
        <rect width={48 * probability} height="8" />
      </svg>
      <span className={styles.percent}>{`${(100 * probability).toFixed(2)} %`}</span>
    </span>
  );
}

const formatLogprob = (logprob: number | undefined): string => (logprob === undefined ? '–' : logprob.toFixed(4));
