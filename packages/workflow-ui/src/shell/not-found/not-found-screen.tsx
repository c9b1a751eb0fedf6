import { Link } from '@tanstack/react-router';
import { EmptyState } from '@weir/ui-kit';
import { defineMessages } from '@weir/ui-kit/app';
import type { ReactElement } from 'react';
import messages from './messages.json';

const useMessages = defineMessages(messages);

/** Shown for an address without a screen. */
export function NotFoundScreen(): ReactElement {
  const t = useMessages();
  return (
    <EmptyState level={1} title={t('notFound.title')} action={<Link to="/">{t('notFound.home')}</Link>}>
      {t('notFound.text')}
    </EmptyState>
  );
}
