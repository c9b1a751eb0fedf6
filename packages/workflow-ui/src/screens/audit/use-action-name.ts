import { defineMessages } from '@weir/ui-kit/app';
import messages from './action-messages.json';

const useActionMessages = defineMessages(messages);

/** Says what was done; an action of a newer server by its id. */
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
