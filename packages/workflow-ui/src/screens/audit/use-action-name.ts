import { defineMessages } from '@weir/ui-kit/app';
import messages from './action-messages.json';

const useActionMessages = defineMessages(messages);

/** Returns the name of an action; an action of a newer server has its id. */
export function useActionName(): (action: string) => string {
  const t = useActionMessages();
  return (action) => {
    const id = `audit.action.${action}`;
    return isKnown(id) ? t(id) : action.replaceAll('_', ' ');
  };
}

function isKnown(id: string): id is keyof typeof messages {
  return id in messages;
}
