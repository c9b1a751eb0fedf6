import type { LogTexts } from '@weir/ui-kit';
import { isApiError } from '@weir/workflow-client';
import { useMemo } from 'react';
import { useAppMessages } from '../text/app-messages';
import { formatBytes } from './format-bytes';
import { useLogMessages } from './log-messages';

/** The texts of the log viewer in the language of the page. */
export function useLogTexts(): LogTexts {
  const t = useLogMessages();
  const app = useAppMessages();
  return useMemo(() => {
    const flag = (is: boolean): string => String(is);
    return {
      log: t('log.log'),
      loading: t('log.loading'),
      empty: t('log.empty'),
      failed: t('log.failed'),
      emptyWhileRunning: t('log.emptyWhileRunning'),
      retry: t('log.retry'),
      follow: t('log.follow'),
      size: (lines, isEstimate, bytes) =>
        t('log.size', { lines, isEstimate: flag(isEstimate), size: formatBytes(bytes) }),
      cut: (bytes) => t('log.cut', { size: formatBytes(bytes) }),
      following: t('log.following'),
      download: t('log.download'),
      view: t('log.view'),
      wrap: t('log.wrap'),
      newLines: (count) => t('log.newLines', { count }),
      readableJson: t('log.readableJson'),
      times: t('log.times'),
      noTimes: t('log.noTimes'),
      relativeTimes: t('log.relativeTimes'),
      absoluteTimes: t('log.absoluteTimes'),
      goToLine: t('log.goToLine'),
      find: t('log.find'),
      findPlaceholder: t('log.findPlaceholder'),
      isRegex: t('log.isRegex'),
      isCaseSensitive: t('log.isCaseSensitive'),
      onlyMatches: t('log.onlyMatches'),
      context: t('log.context'),
      contextLines: (count) => t('log.contextLines', { count }),
      previous: t('log.previous'),
      next: t('log.next'),
      close: t('log.close'),
      searching: t('log.searching'),
      noMatch: t('log.noMatch'),
      match: (place, count, isComplete) => t('log.match', { place, count, isComplete: flag(isComplete) }),
      matches: (count, isComplete) => t('log.matches', { count, isComplete: flag(isComplete) }),
      searchFailed: (error) => (isApiError(error) ? error.message : app('app.unreachable')),
      moreMatches: t('log.moreMatches'),
      tooManyMatches: t('log.tooManyMatches'),
      selected: (first, last) => t('log.selected', { first, last, isOne: flag(first === last) }),
      copyLines: t('log.copyLines'),
      copyLink: t('log.copyLink'),
      copied: t('log.copied'),
      copyFailed: t('log.copyFailed'),
      clearSelection: t('log.clearSelection'),
      showRest: (count) => t('log.showRest', { count }),
      lineCut: t('log.lineCut'),
      stderr: 'err',
      attempt: (number) => t('log.attempt', { number }),
      allAttempts: t('log.allAttempts'),
      chooseAttempt: t('log.chooseAttempt'),
    };
  }, [t, app]);
}
