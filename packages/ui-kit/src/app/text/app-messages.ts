import { defineMessages } from './define-messages';
import messages from './messages.json';

/** The texts of every interface: states, themes, buttons. */
export const appMessages = messages;
export const useAppMessages = defineMessages(messages);
