import { appMessages } from '@weir/ui-app';
import { defineMessages } from './define-messages';
import messages from './messages.json';

/** The texts that several screens share. */
export const useAppMessages = defineMessages({ ...appMessages, ...messages });
